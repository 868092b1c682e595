package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.SUBMIT_ONLY;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.runtime.ApiKeyToken;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is not accepted: its status, its code, its problem document, and that nothing of it is stored. */
class RefusedRequestIT {

    @Test
    void no_key_and_an_unknown_key_are_unauthorized_and_answered_alike() {
        String unknown =
                ApiKeyToken.generate("test", "nobodys", new SecureRandom()).reveal();
        String forged = ALPHA.substring(0, ALPHA.length() - 9) + "_00000000";

        for (String key : new String[] {"", "junk", unknown, forged}) {
            Answer answer = post(key, "/v1/tasks", campaign("unauthorized-1"));
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.at("error_code")).isEqualTo("unauthorized");
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        }
        assertThat(count("ingest.task where external_id = 'unauthorized-1'")).isZero();
        assertThat(count("ingest.audit where error_code = 'unauthorized'")).isPositive();
    }

    @Test
    void a_key_without_the_scope_is_forbidden() {
        assertThat(post(READ_ONLY, "/v1/tasks", campaign("forbidden-1")).at("error_code"))
                .isEqualTo("forbidden");
        assertThat(get(SUBMIT_ONLY, "/v1/tasks").status()).isEqualTo(403);
        assertThat(post(READ_ONLY, "/v1/groups", "{}").status()).isEqualTo(403);
        assertThat(count("ingest.audit where error_code = 'forbidden' and client_id = 'reader'"))
                .isPositive();
    }

    @Test
    void a_problem_document_tells_people_and_programs_everything() {
        Answer answer = post(ALPHA, "/v1/tasks", "{\"external_id\":\"a b\",\"extra\":1}", "X-Request-Id", "problem-1");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("ok").asBoolean(true)).isFalse();
        assertThat(answer.at("type")).isEqualTo("urn:postonce:problem:bad_payload");
        assertThat(answer.at("title")).isNotBlank();
        assertThat(answer.at("title_zh")).contains("请求");
        assertThat(answer.at("detail")).isNotBlank();
        assertThat(answer.at("next")).contains("mends");
        assertThat(answer.body().path("status").asInt()).isEqualTo(400);
        assertThat(answer.at("error_code")).isEqualTo("bad_payload");
        assertThat(answer.body().path("retryable").asBoolean(true)).isFalse();
        assertThat(answer.at("request_id")).isEqualTo("problem-1");
        assertThat(answer.pointers())
                .contains("/external_id", "/extra", "/title", "/content_html", "/target_platforms");
        assertThat(count("ingest.audit where request_id = 'problem-1' and outcome = 'refused'"))
                .isEqualTo(1);
    }

    @Test
    void each_wrong_field_has_its_pointer() {
        ObjectNode body = campaign("wrong-1")
                .put("cover_url", "http://127.0.0.1:99999/x")
                .put("callback_url", "ftp://example.com/")
                .put("publish_at", "yesterday")
                .put("slug", "a/b")
                .put("language", "english!")
                .put("site", "Blog!")
                .put("title", "two\nlines")
                .put("content_md", "x");
        body.putArray("tags").add(1).add("ok").add("\u0000");
        body.putArray("target_platforms").add("myspace");

        assertThat(post(ALPHA, "/v1/tasks", body).pointers())
                .contains(
                        "/callback_url",
                        "/publish_at",
                        "/slug",
                        "/language",
                        "/site",
                        "/title",
                        "/content_md",
                        "/tags/0",
                        "/tags/2",
                        "/target_platforms");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"title\":\"a\",\"title\":\"b\"}",
                "[1]",
                "null",
                "\"text\"",
                "{",
                "{}{}",
                "{\"title\":\"\\ud800\"}",
                "{\"title\":\"\\u0000\"}",
                "{\"\\ud800\":1}",
                "{\"title\":NaN}",
                "{\"title\":123456789012345678901234567890123456789012345678901234567890}",
            })
    void malformed_json_is_a_bad_payload(String body) {
        Answer answer = post(ALPHA, "/v1/tasks", body);
        assertThat(answer.status()).as(body).isEqualTo(400);
        assertThat(answer.at("error_code")).isEqualTo("bad_payload");
    }

    @Test
    void deep_json_and_bytes_that_are_not_utf_8_are_bad_payloads() {
        assertThat(post(ALPHA, "/v1/tasks", "{\"a\":" + "[".repeat(30) + "]".repeat(30) + "}")
                        .status())
                .isEqualTo(400);
        byte[] bytes = "{\"title\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(sendBytes(BodyPublishers.ofByteArray(bytes), "application/json")
                        .status())
                .isEqualTo(400);
        byte[] utf16 = "{\"title\":\"x\"}".getBytes(StandardCharsets.UTF_16);
        assertThat(sendBytes(BodyPublishers.ofByteArray(utf16), "application/json")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_body_over_the_limit_is_refused_with_the_limit_also_when_it_comes_in_chunks() {
        byte[] large = new byte[1_048_577];
        java.util.Arrays.fill(large, (byte) ' ');

        Answer declared = sendBytes(BodyPublishers.ofByteArray(large), "application/json");
        Answer chunked =
                sendBytes(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)), "application/json");

        for (Answer answer : new Answer[] {declared, chunked}) {
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.at("error_code")).isEqualTo("payload_too_large");
            assertThat(answer.body().path("limit_bytes").asLong()).isEqualTo(1_048_576);
        }
    }

    @Test
    void an_article_whose_event_would_be_too_large_is_refused_with_the_limit() {
        ObjectNode body = article("large-1", "en", "字".repeat(320_000));

        Answer answer = post(ALPHA, "/v1/tasks", body);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body().path("limit_bytes").asLong()).isLessThan(1_500_000);
        assertThat(count("ingest.task where slug = 'large-1'")).isZero();
    }

    @Test
    void a_wrong_media_type_is_refused() {
        for (String type :
                new String[] {"text/plain", "application/xml", "application/json; charset=utf-16", "nonsense"}) {
            assertThat(sendBytes(BodyPublishers.ofString("{}"), type).status())
                    .as(type)
                    .isEqualTo(415);
        }
        assertThat(post(ALPHA, "/v1/tasks", "{}", "Content-Encoding", "gzip").status())
                .isEqualTo(415);
        assertThat(sendBytes(BodyPublishers.ofString("{}"), "application/json; charset=UTF-8")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_wrong_idempotency_key_is_a_bad_payload() {
        Answer answer = post(ALPHA, "/v1/tasks", campaign("badkey-1"), "Idempotency-Key", "\"open");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.pointers()).containsExactly("header:Idempotency-Key");
        assertThat(count("ingest.task where external_id = 'badkey-1'")).isZero();
    }

    @Test
    void wrong_methods_and_unknown_routes_are_problems_too() {
        Answer method =
                Intake.send(HttpRequest.newBuilder(URI.create(Intake.service().url() + "/v1/requests/x"))
                        .header("Authorization", "Bearer " + ALPHA)
                        .POST(BodyPublishers.ofString("{}"))
                        .build());
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.at("error_code")).isEqualTo("method_not_allowed");
        assertThat(get(ALPHA, "/v1/none").status()).isEqualTo(404);
        assertThat(get("", "/none").status()).isEqualTo(404);
        assertThat(get("", "/%76%31/tasks").status()).isEqualTo(401);
    }

    @Test
    void a_request_id_that_is_not_one_is_replaced() {
        Answer answer = post(ALPHA, "/v1/tasks", campaign("rid-1"), "X-Request-Id", "<script>");
        assertThat(answer.header("X-Request-Id")).matches("[0-9a-f-]{36}").isEqualTo(answer.at("request_id"));
    }

    @Test
    void only_health_and_metrics_are_shown_beside_the_routes() {
        // The whole is DOWN here: this instance was given no Kafka, and intake does not need one.
        assertThat(get("", "/actuator/health").status()).isIn(200, 503);
        assertThat(get("", "/actuator/health/readiness").status()).isEqualTo(200);
        Answer metrics = get("", "/actuator/prometheus");
        assertThat(metrics.status()).isEqualTo(200);
        for (String path : new String[] {"env", "heapdump", "loggers", "beans", "configprops", "threaddump", "info"}) {
            assertThat(get("", "/actuator/" + path).status()).as(path).isEqualTo(404);
        }
    }

    private static Answer sendBytes(HttpRequest.BodyPublisher body, String type) {
        return Intake.send(HttpRequest.newBuilder(URI.create(Intake.service().url() + "/v1/tasks"))
                .header("Authorization", "Bearer " + ALPHA)
                .header("Content-Type", type)
                .POST(body)
                .build());
    }
}
