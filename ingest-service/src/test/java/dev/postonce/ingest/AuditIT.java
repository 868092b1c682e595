package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.runtime.ApiKeyToken;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What was refused is found again, and somebody says what came of it. */
class AuditIT {

    @Test
    void a_conflict_is_listed_until_somebody_follows_it_up_and_the_first_note_counts() {
        post(ALPHA, "/v1/tasks", article("audited-slug", "en", "one"));
        Answer conflict = post(ALPHA, "/v1/tasks", article("audited-slug", "en", "two"), "X-Request-Id", "audited-1");
        assertThat(conflict.at("error_code")).isEqualTo("slug_conflict");

        JsonNode entry = find("/v1/audit?error_code=slug_conflict&open=true", "audited-1");
        assertThat(entry.path("outcome").asString()).isEqualTo("conflict");
        assertThat(entry.path("client_id").asString()).isEqualTo("cms");
        assertThat(entry.path("payload_digest").asString()).hasSize(64);
        assertThat(entry.path("follow_up").isNull()).isTrue();

        String resolve = "/v1/audit/" + entry.path("id").asLong() + ":resolve";
        assertThat(post(OPS, resolve + "?dry_run=true", "{\"note\":\"would\"}")
                        .body()
                        .path("entry")
                        .path("follow_up")
                        .isNull())
                .isTrue();
        Answer first = post(OPS, resolve, "{\"note\":\"slug 改为 audited-slug-2\"}");
        Answer second = post(OPS, resolve, "{\"note\":\"another\"}");
        assertThat(first.body().path("idempotent_replay").asBoolean(true)).isFalse();
        assertThat(second.body().path("idempotent_replay").asBoolean(false)).isTrue();
        assertThat(second.body().path("entry").path("follow_up").path("note").asString())
                .isEqualTo("slug 改为 audited-slug-2");
        assertThat(second.body()
                        .path("entry")
                        .path("follow_up")
                        .path("client_id")
                        .asString())
                .isEqualTo("operator");
        assertThat(requestIds("/v1/audit?open=true&limit=200")).doesNotContain("audited-1");
        assertThat(requestIds("/v1/audit?limit=200")).contains("audited-1");
        assertThat(count("ingest.audit where route = 'POST /v1/audit/{id}:resolve' and outcome in ('updated', 'replay')"
                        + " and detail like '%" + entry.path("id").asLong() + "%'"))
                .isEqualTo(2);
    }

    @Test
    void accepted_submissions_are_not_in_the_list_and_what_operators_did_is() {
        post(ALPHA, "/v1/tasks", campaign("audited-2"), "X-Request-Id", "audited-2");
        post(OPS, "/v1/keys", "{\"client_id\":\"audited\",\"scopes\":[\"read\"]}", "X-Request-Id", "audited-3");

        assertThat(requestIds("/v1/audit?limit=200")).contains("audited-3").doesNotContain("audited-2");
        assertThat(find("/v1/audit?outcome=created", "audited-3")
                        .path("detail")
                        .path("client_id")
                        .asString())
                .isEqualTo("audited");
    }

    @Test
    void a_wrong_question_is_refused_and_only_operators_follow_up() {
        assertThat(get(OPS, "/v1/audit?outcome=nonsense").status()).isEqualTo(400);
        assertThat(get(OPS, "/v1/audit?open=perhaps").status()).isEqualTo(400);
        assertThat(post(ALPHA, "/v1/audit/1:resolve", "{\"note\":\"x\"}").status())
                .isEqualTo(403);
        assertThat(post(OPS, "/v1/audit/1:resolve", "{}").pointers()).containsExactly("/note");
        assertThat(post(OPS, "/v1/audit/x:resolve", "{\"note\":\"x\"}").status())
                .isEqualTo(404);
        assertThat(post(OPS, "/v1/audit/99999999999999999:resolve", "{\"note\":\"x\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void every_refusal_of_a_known_caller_leaves_a_row_and_a_flood_of_strangers_only_a_few() {
        String[] ids = {"audited-a", "audited-b", "audited-c", "audited-d"};
        post(ALPHA, "/v1/tasks", "{}", "X-Request-Id", ids[0]);
        post(READ_ONLY, "/v1/tasks", campaign("audited-4"), "X-Request-Id", ids[1]);
        post(ALPHA, "/v1/tasks", "x", "Content-Type", "text/plain", "X-Request-Id", ids[2]);
        post(ALPHA, "/v1/requests/x", "{}", "X-Request-Id", ids[3]);
        for (String id : ids) {
            assertThat(count("ingest.audit where request_id = ? and outcome = 'refused' and tenant_id = 'alpha'", id))
                    .as(id)
                    .isEqualTo(1);
        }

        long before = count("ingest.audit where tenant_id is null");
        SecureRandom random = new SecureRandom();
        List<Callable<Integer>> flood = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            flood.add(() -> {
                int most = 0;
                for (int i = 0; i < 60; i++) {
                    String invented = ApiKeyToken.generate("test", "invented" + random.nextInt(100_000), random)
                            .reveal();
                    most = Math.max(
                            most,
                            post(invented, "/v1/tasks", campaign("audited-5")).status());
                }
                return most;
            });
        }
        long started = System.nanoTime();
        assertThat(Intake.together(flood))
                .allSatisfy(status -> assertThat(status).isIn(401, 429));
        long seconds = 2 + (System.nanoTime() - started) / 1_000_000_000L;
        assertThat(count("ingest.audit where tenant_id is null") - before).isBetween(1L, 20 * seconds);
        assertThat(count("ingest.task where external_id = 'audited-5'")).isZero();
        // Keys that this instance has not seen yet are looked up again: the tests behind this one bring some.
        String unknown = ApiKeyToken.generate("test", "unknown", random).reveal();
        Awaitility.await().until(() -> get(unknown, "/v1/tasks").status() == 401);
    }

    private static JsonNode find(String path, String requestId) {
        for (JsonNode entry : get(OPS, path).body().path("entries")) {
            if (entry.path("request_id").asString().equals(requestId)) {
                return entry;
            }
        }
        throw new AssertionError("no entry of " + requestId + " in " + path);
    }

    private static List<String> requestIds(String path) {
        List<String> ids = new ArrayList<>();
        get(OPS, path)
                .body()
                .path("entries")
                .forEach(entry -> ids.add(entry.path("request_id").asString()));
        return ids;
    }
}
