package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.batch.Batches;
import dev.postonce.ingest.batch.Batches.Answered;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A stranger's key, id, slug or group is answered as one that does not exist, byte for byte, on every route that the
 * interface's description has.
 */
class StrangersIT {

    /** May do everything, in another tenant. */
    private static String stranger = "";

    /** A resource of alpha, and one of the same form that nobody has. */
    private record Pair(String theirs, String nobodys) {}

    private static final Map<String, List<Pair>> IDS = new LinkedHashMap<>();

    /** Writes that name no resource in their path; what each says of another tenant's is tried below. */
    private static final List<String> WRITES = List.of(
            "POST /v1/tasks",
            "POST /v1/tasks:batch",
            "POST /v1/tasks:check",
            "POST /v1/groups",
            "POST /v1/keys",
            "POST /v1/keys/callback-secret:rotate",
            "POST /v1/intake-secrets");

    private static final String ITS_ID = "its-id";

    /** What the routes that take a body may be sent; each is tried on each. */
    private static final List<String> BODIES = List.of(
            "{}",
            campaign(ITS_ID).toString(),
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
        assertThat(stranger).isNotEmpty();
        post(ALPHA, "/v1/tasks", campaign("strange-1"), "Idempotency-Key", "strange-key-1");
        post(ALPHA, "/v1/tasks", article("strange-slug", "en", "text").put("external_id", "strange-article"));
        post(ALPHA, "/v1/tasks", article("strange-only-alphas", "en", "text").put("external_id", "strange-3"));
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
        String secret = post(OPS, "/v1/intake-secrets", "{\"client_id\":\"strange\"}")
                .body()
                .path("secret")
                .path("key_id")
                .asString();
        IDS.put("/v1/intake-secrets/", List.of(new Pair(secret, "abcdefghijkl")));
        IDS.put("/v1/audit/", List.of(new Pair(Long.toString(audit), "999999999999")));
        // Whoever was told a site's public id may read its sitemap; its name in the tenant says nothing to others.
        IDS.put("/v1/sites/", List.of(new Pair("blog", "glob")));
    }

    @Test
    void on_every_route_a_strangers_id_is_answered_as_nobodys() {
        Set<String> tried = new TreeSet<>();
        Set<String> differing = new TreeSet<>();
        long before = versions();
        for (Route route : routes()) {
            if (!route.path().contains("{")) {
                continue;
            }
            for (Pair pair : pairsOf(route.path())) {
                for (String body : route.method().equals("GET") ? List.of("") : BODIES) {
                    Answer theirs = ask(route, pair.theirs(), body.replace(ITS_ID, pair.theirs()));
                    String ofNobodys = body.replace(ITS_ID, pair.nobodys()).replace(pair.theirs(), pair.nobodys());
                    Answer nobodys = ask(route, pair.nobodys(), ofNobodys);
                    tried.add(route.toString());
                    boolean same = theirs.status() == nobodys.status()
                            && plain(theirs, pair.theirs()).equals(plain(nobodys, pair.nobodys()));
                    if (!same || theirs.status() >= 500 || theirs.status() < 400 || theirs.status() == 401) {
                        differing.add(route + " " + body + "\n  " + theirs.status() + " " + theirs.text() + "\n  "
                                + nobodys.status() + " " + nobodys.text());
                    }
                }
            }
        }

        assertThat(differing).isEmpty();
        assertThat(tried)
                .contains("GET /v1/tasks/{external_id}", "GET /v1/groups/{id}", "POST /v1/keys/{key_id}:revoke");
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void the_same_ids_slugs_groups_and_keys_are_new_in_another_tenant() {
        Answer task = post(stranger, "/v1/tasks", campaign("strange-1"), "Idempotency-Key", "strange-key-1");
        Answer slug = post(
                stranger, "/v1/tasks", article("strange-slug", "en", "other").put("external_id", "strange-article"));
        Answer group = post(stranger, "/v1/groups", "{\"group_id\":\"https://t.me/Strange_Group\"}");
        Answered batch = Batches.send(
                stranger,
                List.of(campaign("strange-3").put("idempotency_key", "strange-key-1:b"), campaign("strange-4")));
        assertThat(batch.statuses()).containsExactly(201, 201);
        assertThat(batch.answers().toString()).doesNotContain("possible_duplicate_of", "\"idempotent_replay\":true");
        Answer check = post(
                stranger, "/v1/tasks:check", article("strange-slug", "zh", "x").put("external_id", "strange-2"));
        assertThat(check.status()).isEqualTo(200);
        assertThat(check.text()).doesNotContain("blog.example.com", "strange-3");

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
        Set<String> paths = new TreeSet<>(List.of(
                "/v1/tasks?limit=200",
                "/v1/tasks?site=blog",
                "/v1/tasks?site=blog&slug=strange-slug",
                "/v1/audit?limit=200",
                "/v1/audit?open=true&limit=200",
                "/v1/review?limit=200",
                "/v1/groups?group_id=" + URLEncoder.encode("@strange_group", StandardCharsets.UTF_8)));
        for (Route route : routes()) {
            if (route.method().equals("GET") && !route.path().contains("{")) {
                paths.add(route.path());
            }
        }
        for (String path : paths) {
            Answer answer = send("GET", path, "");
            assertThat(answer.status()).as(path).isIn(200, 400, 404);
            assertThat(answer.text().replace("\"stranger\"", ""))
                    .as(path)
                    .doesNotContain(
                            "strange-3", "strange-only-alphas", "alphakey", "@strange_group", "blog.example.com");
        }
    }

    /** A new one is told here by name, and what it says of another tenant's has a test. */
    @Test
    void every_write_without_an_id_is_known_here() {
        assertThat(routes().stream()
                        .filter(route -> !route.method().equals("GET"))
                        .filter(route -> !route.path().contains("{"))
                        .map(Route::toString))
                .containsExactlyInAnyOrderElementsOf(WRITES);
    }

    private record Route(String method, String path) {

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** Those that need a key or name a resource, as the interface's description has them. */
    private static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        Intake.get("", "/openapi.json").body().path("paths").properties().forEach(path -> path.getValue()
                .propertyNames()
                .forEach(method -> {
                    if (path.getKey().startsWith("/v1/")) {
                        routes.add(new Route(method.toUpperCase(Locale.ROOT), path.getKey()));
                    }
                }));
        assertThat(routes).hasSizeGreaterThan(20);
        return routes;
    }

    private static List<Pair> pairsOf(String pattern) {
        List<Pair> pairs = new ArrayList<>();
        List<String> known = IDS.keySet().stream().filter(pattern::startsWith).toList();
        assertThat(known).as("what does %s take? tell this test", pattern).isNotEmpty();
        known.forEach(prefix -> pairs.addAll(IDS.get(prefix)));
        return pairs;
    }

    private static Answer ask(Route route, String id, String body) {
        String path = route.path().replaceAll("\\{[^}]*}", URLEncoder.encode(id, StandardCharsets.UTF_8));
        return send(route.method(), path, body);
    }

    private static Answer send(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Intake.service().url() + path))
                .header("Authorization", "Bearer " + stranger);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").header("If-Match", "\"1\"");
        }
        return Intake.send(
                request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
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
