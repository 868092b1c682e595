package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Topics;
import dev.postonce.ingest.Intake.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What no honest client sends: refused with the place that is wrong, and nothing of it stored. */
class HostileInputIT {

    /** @param required whether none is refused; where it is not, none counts as an empty object */
    private record Route(String method, String path, boolean required) {

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** Every route that takes a JSON object, by the interface's description; each path names something. */
    private static final List<Route> ROUTES = routes();

    private static final byte[] EMPTY_OBJECT = "{}".getBytes(StandardCharsets.UTF_8);

    /** Longest value of each text field of a task, in characters. */
    private static final Map<String, Integer> TASK_LINES = Map.ofEntries(
            Map.entry("external_id", 64),
            Map.entry("business_ref_id", 200),
            Map.entry("group_code", 64),
            Map.entry("title", 300),
            Map.entry("summary", 2_000),
            Map.entry("category", 200),
            Map.entry("site", 63),
            Map.entry("slug", 185),
            Map.entry("translation_key", 200));

    private static final List<String> TASK_TEXTS = List.of(
            "external_id",
            "business_ref_id",
            "group_code",
            "title",
            "content_html",
            "cover_url",
            "summary",
            "category",
            "callback_url",
            "canonical_url",
            "publish_at",
            "site",
            "slug",
            "language",
            "translation_key");

    private static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        Intake.get("", "/openapi.json").body().path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(operation -> {
                    JsonNode body = operation.getValue().path("requestBody");
                    if (body.path("content").has("application/json")) {
                        routes.add(new Route(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                path.getKey().replaceAll("\\{[^}]*}", "1"),
                                body.path("required").asBoolean(true)));
                    }
                }));
        return routes;
    }

    static List<byte[]> bodies() {
        List<byte[]> bodies = new ArrayList<>();
        for (String text : List.of(
                "",
                " ",
                "null",
                "true",
                "1",
                "\"text\"",
                "[]",
                "[{}]",
                "{",
                "{}}",
                "{}{}",
                "{} x",
                "{\"a\":1,}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":1 // comment\n}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":+1}",
                "{\"a\":01}",
                "{\"a\":.5}",
                "{\"a\":0x1F}",
                "{\"a\":1e99999999999}",
                "{\"a\":" + "9".repeat(50) + "}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"tab\there\"}",
                "{\"a\":\"line\nhere\"}",
                "{\"a\":\"\u0000\"}",
                "{\"title\":\"a\",\"title\":\"a\"}",
                "{\"a\":{\"b\":1,\"b\":2}}",
                "{\"" + "n".repeat(300) + "\":1}",
                "{\"a\":" + "[".repeat(21) + "]".repeat(21) + "}",
                "{\"a\":" + "{\"a\":".repeat(50_000),
                "[".repeat(100_000),
                "\uFEFF{}{}",
                "\u2028{}")) {
            bodies.add(text.getBytes(StandardCharsets.UTF_8));
        }
        // Not UTF-8: a lone continuation, an overlong slash, a surrogate, past the last code point, cut off.
        for (int[] bytes : new int[][] {
            {0x80}, {0xC0, 0xAF}, {0xED, 0xA0, 0x80}, {0xF5, 0x80, 0x80, 0x80}, {0xE4, 0xB8}, {0xFF, 0xFE}
        }) {
            byte[] body = "{\"title\":\"????\"}".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < bytes.length; i++) {
                body[10 + i] = (byte) bytes[i];
            }
            bodies.add(body);
        }
        bodies.add("{\"title\":\"x\"}".getBytes(StandardCharsets.UTF_16LE));
        bodies.add("{\"title\":\"x\"}".getBytes(java.nio.charset.Charset.forName("UTF-32")));
        return bodies;
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void a_body_that_is_no_sound_json_object_is_a_bad_payload_on_every_route(byte[] body) {
        for (Route route : ROUTES) {
            if (body.length == 0 && !route.required()) {
                continue;
            }
            Answer answer = send(route, body);
            String shown = route + " " + new String(body, 0, Math.min(40, body.length), StandardCharsets.ISO_8859_1);
            assertThat(answer.status()).as(shown).isEqualTo(400);
            assertThat(answer.at("error_code")).as(shown).isEqualTo("bad_payload");
            assertThat(answer.header("Content-Type")).as(shown).startsWith("application/problem+json");
        }
    }

    @Test
    void the_description_names_the_routes_that_take_a_body() {
        assertThat(ROUTES.stream().map(Route::toString))
                .contains(
                        "POST /v1/tasks",
                        "PUT /v1/tasks/1",
                        "POST /v1/tasks/1/withdraw",
                        "POST /v1/tasks/1/restore",
                        "POST /v1/tasks:check",
                        "POST /v1/groups",
                        "POST /v1/keys",
                        "POST /v1/keys/callback-secret:rotate",
                        "POST /v1/audit/1:resolve");
    }

    @Test
    void a_value_of_the_wrong_type_is_told_by_its_place() {
        for (String field : TASK_TEXTS) {
            for (String wrong : List.of("1", "true", "[]", "{}", "[\"x\"]", "1.5", "-0")) {
                refusesAt("/" + field, with(field, wrong));
            }
        }
        for (String list : List.of("tags", "target_platforms")) {
            for (String wrong : List.of("1", "\"x\"", "{}", "true")) {
                refusesAt("/" + list, with(list, wrong));
            }
            for (String wrong : List.of("[1]", "[null]", "[[]]", "[{}]")) {
                refusesAt("/" + list + "/0", with(list, wrong));
            }
        }
        for (String wrong : List.of("\"1\"", "1.5", "0", "-1", "1e3", "99999999999999999999", "true", "[]")) {
            assertThat(post(
                                    OPS,
                                    "/v1/keys",
                                    "{\"client_id\":\"a\",\"scopes\":[\"read\"],\"rate_per_second\":" + wrong + "}")
                            .pointers())
                    .as(wrong)
                    .containsExactly("/rate_per_second");
        }
    }

    @Test
    void control_characters_and_half_pairs_are_told_by_their_place() {
        List<String> evil =
                List.of("a\\u0000b", "a\\u0008", "\\u001b[31m", "a\\u007f", "a\\u0085", "\\ud800", "\\udc00\\ud800");
        for (String field : TASK_TEXTS) {
            for (String text : evil) {
                refusesAt("/" + field, with(field, "\"" + text + "\""));
            }
        }
        for (String text : evil) {
            refusesAt("/tags/1", with("tags", "[\"fine\",\"" + text + "\"]"));
            assertThat(post(ALPHA, "/v1/groups", "{\"group_id\":\"@fine_name\",\"name\":\"" + text + "\"}")
                            .pointers())
                    .containsExactly("/name");
            assertThat(post(OPS, "/v1/audit/1:resolve", "{\"note\":\"" + text + "\"}")
                            .pointers())
                    .containsExactly("/note");
        }
        assertThat(count("ingest.task where external_id like 'hostile-%'")).isZero();
    }

    @Test
    void texts_and_lists_have_limits() {
        TASK_LINES.forEach((field, max) -> {
            refusesAt("/" + field, campaign("hostile-1").put(field, "x".repeat(max + 1)));
            // Characters, not UTF-16 units or bytes, where the form allows any.
            if (field.equals("title") || field.equals("category")) {
                Answer fits =
                        post(ALPHA, "/v1/tasks", campaign("fits-" + field).put(field, "\uD83D\uDE00".repeat(max)));
                assertThat(fits.status()).as(field).isEqualTo(201);
            }
        });
        refusesAt("/cover_url", campaign("hostile-1").put("cover_url", "https://example.com/" + "x".repeat(2_048)));
        for (String list : List.of("tags", "target_platforms")) {
            ObjectNode many = campaign("hostile-1");
            ArrayNode items = many.putArray(list);
            for (int i = 0; i < 51; i++) {
                items.add("webhook" + i);
            }
            refusesAt("/" + list, many);
        }
        ObjectNode unknown = campaign("hostile-1");
        for (int i = 0; i < 5_000; i++) {
            unknown.put("field" + i, i);
        }
        assertThat(post(ALPHA, "/v1/tasks", unknown).pointers()).hasSize(50);
    }

    @Test
    void only_json_in_utf_8_without_coding_is_read() {
        for (Route route : ROUTES) {
            for (String type : List.of(
                    "text/plain",
                    "text/json",
                    "application/xml",
                    "application/x-www-form-urlencoded",
                    "multipart/form-data; boundary=x",
                    "application/json; charset=iso-8859-1",
                    "application/json;charset=\"utf-16\"",
                    "*/*",
                    "application/*",
                    "json")) {
                Answer answer = send(route, EMPTY_OBJECT, "Content-Type", type);
                assertThat(answer.status()).as(route + " " + type).isEqualTo(415);
                assertThat(answer.at("error_code")).isEqualTo("unsupported_media_type");
            }
            for (String coding : List.of("gzip", "br", "deflate", "identity, gzip")) {
                assertThat(send(route, EMPTY_OBJECT, "Content-Encoding", coding).status())
                        .as(route + " " + coding)
                        .isEqualTo(415);
            }
        }
    }

    /** Whatever is accepted fits into its topic, with room for every later form of it. */
    @Test
    void no_event_is_stored_that_kafka_would_refuse() {
        Map<String, String> fillings = new LinkedHashMap<>();
        fillings.put("ascii", "x");
        fillings.put("quotes", "\\\"");
        fillings.put("han", "字");
        fillings.put("emoji", "\uD83D\uDE00");
        fillings.put("angles", "<");
        fillings.forEach((name, text) -> {
            for (int bytes : new int[] {400_000, 1_040_000}) {
                int times = bytes / text.getBytes(StandardCharsets.UTF_8).length;
                String body = "{\"external_id\":\"size-" + name + "-" + bytes
                        + "\",\"title\":\"t\",\"target_platforms\":[\"webhook\"],\"content_md\":\"" + text.repeat(times)
                        + "\"}";
                Answer answer = post(ALPHA, "/v1/tasks", body);
                assertThat(answer.status()).as(name + " " + bytes).isIn(201, 400, 413);
            }
        });
        long largest = Intake.sql()
                .sql("select coalesce(max(octet_length(data)), 0) from ingest.outbox_event")
                .query(Long.class)
                .single();
        assertThat(largest).isGreaterThan(300_000).isLessThan(Topics.EVENT_BYTES_MAX);
    }

    private static void refusesAt(String pointer, ObjectNode body) {
        refusesAt(pointer, body.toString());
    }

    private static void refusesAt(String pointer, String body) {
        Answer answer = post(ALPHA, "/v1/tasks", body);
        assertThat(answer.status()).as(pointer + " " + body).isEqualTo(400);
        assertThat(answer.pointers()).as(body).contains(pointer);
    }

    /** A sound task but for one field, which is given as JSON. */
    private static String with(String field, String json) {
        ObjectNode body = campaign("hostile-1");
        if (field.equals("content_html")) {
            body.remove("content_html");
        }
        body.remove(field);
        String rest = body.toString();
        return "{\"" + field + "\":" + json + "," + rest.substring(1);
    }

    private static Answer send(Route route, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Intake.service().url() + route.path()))
                .header("Authorization", "Bearer " + OPS)
                .header("Content-Type", "application/json")
                .method(route.method(), BodyPublishers.ofByteArray(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return Intake.send(request.build());
    }
}
