package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** A stranger's key, id, slug or group is answered as one that does not exist, byte for byte, on every route. */
class StrangersIT {

    /** May do everything, in another tenant. */
    private static String stranger = "";

    /** A resource of alpha, and one of the same form that nobody has. */
    private record Pair(String theirs, String nobodys) {}

    private static final Map<String, List<Pair>> IDS = new LinkedHashMap<>();

    /** What the routes that take a body may be sent; each is tried on each. */
    private static final List<String> BODIES = List.of(
            "{}",
            campaign("strange-1").toString(),
            "{\"group_id\":\"@strange_group\",\"name\":\"x\"}",
            "{\"status\":\"draft\",\"reason\":\"x\"}",
            "{\"reason\":\"x\"}",
            "{\"note\":\"x\"}");

    @BeforeAll
    static void alpha_has_one_of_everything() {
        stranger = post(
                        Intake.BETA_OPS,
                        "/v1/keys",
                        "{\"client_id\":\"stranger\",\"scopes\":[\"submit\",\"read\",\"ops\"]}")
                .at("api_key");
        post(ALPHA, "/v1/tasks", campaign("strange-1"), "Idempotency-Key", "strange-key-1");
        post(ALPHA, "/v1/tasks", article("strange-slug", "en", "text").put("external_id", "strange-article"));
        post(ALPHA, "/v1/tasks", "{}", "X-Request-Id", "strange-refused");
        String group =
                post(ALPHA, "/v1/groups", "{\"group_id\":\"@strange_group\"}").at("id");
        String key = post(OPS, "/v1/keys", "{\"client_id\":\"strange\",\"scopes\":[\"read\"]}")
                .body()
                .path("key")
                .path("key_id")
                .asString();
        long audit = Intake.sql()
                .sql("select id from ingest.audit where request_id = 'strange-refused'")
                .query(Long.class)
                .single();

        IDS.put(
                "/v1/tasks/",
                List.of(new Pair("strange-1", "strange-0"), new Pair("strange-article", "strange-nothing")));
        IDS.put(
                "/v1/groups/",
                List.of(
                        new Pair(
                                group,
                                UUID.fromString("01a2282d-0000-7000-8000-000000000000")
                                        .toString()),
                        new Pair("@strange_group", "@strange_nobod")));
        IDS.put("/v1/requests/", List.of(new Pair("strange-key-1", "strange-key-0")));
        IDS.put("/v1/keys/", List.of(new Pair(key, "abcdefghijkl")));
        IDS.put("/v1/audit/", List.of(new Pair(Long.toString(audit), "999999999999")));
        // Public: sites are known by their address to everybody.
        IDS.put("/v1/sites/", List.of());
    }

    @Test
    void on_every_route_a_strangers_id_is_answered_as_nobodys() {
        Set<String> tried = new TreeSet<>();
        Set<String> differing = new TreeSet<>();
        long before = versions();
        routes().forEach((pattern, methods) -> {
            if (!pattern.contains("{")) {
                return;
            }
            for (Pair pair : pairsOf(pattern)) {
                for (RequestMethod method : methods) {
                    for (String body : method == RequestMethod.GET ? List.of("") : BODIES) {
                        Answer theirs = ask(method, pattern, pair.theirs(), body);
                        Answer nobodys = ask(method, pattern, pair.nobodys(), body);
                        tried.add(method + " " + pattern);
                        boolean same = theirs.status() == nobodys.status()
                                && plain(theirs, pair.theirs()).equals(plain(nobodys, pair.nobodys()));
                        if (!same || theirs.status() >= 500 || theirs.status() < 400) {
                            differing.add(method + " " + pattern + " " + body + "\n  " + theirs.status() + " "
                                    + theirs.text() + "\n  " + nobodys.status() + " " + nobodys.text());
                        }
                    }
                }
            }
        });

        assertThat(differing).isEmpty();
        assertThat(tried)
                .contains("GET /v1/tasks/{externalId}", "GET /v1/groups/{*id}", "POST /v1/keys/{keyId}:revoke");
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void the_same_ids_slugs_groups_and_keys_are_new_in_another_tenant() {
        Answer task = post(stranger, "/v1/tasks", campaign("strange-1"), "Idempotency-Key", "strange-key-1");
        Answer slug = post(
                stranger, "/v1/tasks", article("strange-slug", "en", "other").put("external_id", "strange-article"));
        Answer group = post(stranger, "/v1/groups", "{\"group_id\":\"https://t.me/Strange_Group\"}");

        for (Answer answer : List.of(task, slug, group)) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            assertThat(answer.body().path("idempotent_replay").asBoolean(true)).isFalse();
            assertThat(answer.body().has("possible_duplicate_of")).isFalse();
        }
        Intake.database()
                .execute("delete from ingest.target where tenant_id = 'beta' and external_id like 'strange-%'");
        Intake.database()
                .execute("delete from ingest.task_content where tenant_id = 'beta' and external_id like 'strange-%'");
        Intake.database().execute("delete from ingest.task where tenant_id = 'beta' and external_id like 'strange-%'");
        Intake.database()
                .execute(
                        "delete from ingest.idempotency_record where tenant_id = 'beta' and key_prefix like 'strange-%'");
        Intake.database()
                .execute("delete from ingest.group_entry where tenant_id = 'beta' and group_id ilike '%strange%'");
    }

    @Test
    void no_list_and_no_search_by_query_shows_a_strangers() {
        for (String path : List.of(
                "/v1/tasks?limit=200",
                "/v1/tasks?site=blog",
                "/v1/audit?limit=200",
                "/v1/keys",
                "/v1/groups?group_id=" + URLEncoder.encode("@strange_group", StandardCharsets.UTF_8))) {
            Answer answer = send(RequestMethod.GET, path, "");
            assertThat(answer.status()).as(path).isIn(200, 404);
            assertThat(answer.text())
                    .as(path)
                    .doesNotContain("strange-1", "strange-article", "alphakey", "@strange_group");
        }
    }

    private static Map<String, Set<RequestMethod>> routes() {
        Map<String, Set<RequestMethod>> routes = new LinkedHashMap<>();
        RequestMappingHandlerMapping mapping =
                Intake.service().bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
        for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
            for (String pattern : info.getPatternValues()) {
                if (pattern.startsWith("/v1/")) {
                    routes.computeIfAbsent(pattern, key -> new TreeSet<>())
                            .addAll(info.getMethodsCondition().getMethods());
                }
            }
        }
        assertThat(routes).hasSizeGreaterThan(8);
        return routes;
    }

    private static List<Pair> pairsOf(String pattern) {
        List<Pair> pairs = new ArrayList<>();
        List<String> known = IDS.keySet().stream().filter(pattern::startsWith).toList();
        assertThat(known).as("what does %s take? tell this test", pattern).isNotEmpty();
        known.forEach(prefix -> pairs.addAll(IDS.get(prefix)));
        return pairs;
    }

    private static Answer ask(RequestMethod method, String pattern, String id, String body) {
        String path = pattern.replaceAll("\\{[^}]*}", URLEncoder.encode(id, StandardCharsets.UTF_8));
        return send(method, path, body);
    }

    private static Answer send(RequestMethod method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Intake.service().url() + path))
                .header("Authorization", "Bearer " + stranger);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").header("If-Match", "\"1\"");
        }
        return Intake.send(
                request.method(method.name(), body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build());
    }

    /** Without what names the request, and what the caller itself had said. */
    private static String plain(Answer answer, String id) {
        String said = id.startsWith("@") ? id.substring(1) : id;
        return answer.text().replace(answer.at("request_id"), "REQUEST").replace(said, "ID");
    }

    private static long versions() {
        return Intake.sql()
                .sql(
                        """
                        select (select coalesce(sum(version), 0) from ingest.task where tenant_id = 'alpha')
                          + (select coalesce(sum(version), 0) from ingest.group_entry where tenant_id = 'alpha')
                          + (select coalesce(sum(version), 0) from ingest.api_key where tenant_id = 'alpha')
                          + (select count(*) from ingest.audit_follow_up where tenant_id = 'alpha')
                        """)
                .query(Long.class)
                .single();
    }
}
