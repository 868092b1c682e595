package dev.postonce.ingest;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.TaskState;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One service on one database for all tests of this module that go over HTTP, and the hands to use it. */
public final class Intake {

    public static final JsonMapper JSON = JsonMapper.builder().build();
    public static final String ALPHA = key("alphakey");
    public static final String BETA = key("betakey");
    /** The second active key of the same client. */
    public static final String ALPHA_ROTATED = key("alpharotated");

    public static final String ALPHA_OTHER_CLIENT = key("alphaother");
    /** Of a tenant that chose to refuse duplicates and other content. */
    public static final String STRICT = key("strictkey");

    public static final String READ_ONLY = key("readonly");
    public static final String SUBMIT_ONLY = key("submitonly");
    public static final String REVOCABLE = key("revocable");
    public static final String OPS = key("alphaops");
    public static final String BETA_OPS = key("betaops");
    public static final String GAMMA_OPS = key("gammaops");
    public static final String DELTA_OPS = key("deltaops");
    public static final String CALLBACK_SECRET = "whsec_Y2FuYXJ5LWNhbGxiYWNrLXNlY3JldC0wMDE=";

    public static final String INTAKE_KEY_ID = "alpha-intake";
    public static final String INTAKE_SECRET = "pis_Y2FuYXJ5LWludGFrZS1zZWNyZXQtMDAwMDE";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private Intake() {}

    private static final class Holder {
        static final TestDatabase DATABASE = TestInfra.newDatabase();
        static final TestIngest SERVICE = start();
        static final JdbcClient SQL = JdbcClient.create(DATABASE.asSuperuser());
    }

    public static TestDatabase database() {
        return Holder.DATABASE;
    }

    public static TestIngest service() {
        return Holder.SERVICE;
    }

    public static JdbcClient sql() {
        Holder.SERVICE.url();
        return Holder.SQL;
    }

    /** Another instance on the same database. */
    public static TestIngest start() {
        return start(Map.of());
    }

    /** Another one that differs in some settings. */
    public static TestIngest start(Map<String, Object> settings) {
        Map<String, Object> all = new LinkedHashMap<>(Map.of(
                "POSTONCE_BOOTSTRAP_FILE",
                bootstrapFile(),
                "POSTONCE_CLAIM_WAIT_MS",
                "3000",
                "POSTONCE_DB_POOL_WAIT_MS",
                "20000"));
        all.putAll(settings);
        return TestIngest.start(Holder.DATABASE, all);
    }

    private static String key(String id) {
        return ApiKeyToken.generate("test", id, new SecureRandom()).reveal();
    }

    private static String bootstrapFile() {
        String json =
                """
                {"tenants":[
                 {"tenant_id":"alpha","name":"Alpha","environment":"test","keys":[
                   {"client_id":"cms","scopes":["submit","read"],"token":"%s"},
                   {"client_id":"cms","scopes":["submit","read"],"token":"%s"},
                   {"client_id":"other","scopes":["submit","read"],"token":"%s"},
                   {"client_id":"reader","scopes":["read"],"token":"%s"},
                   {"client_id":"writer","scopes":["submit"],"token":"%s"},
                   {"client_id":"leaver","scopes":["submit"],"token":"%s"},
                   {"client_id":"operator","scopes":["submit","read","ops"],"token":"%s"}],
                  "callback_secret":"%s",
                  "intake_secrets":[{"key_id":"alpha-intake","client_id":"cms","secret":"pis_Y2FuYXJ5LWludGFrZS1zZWNyZXQtMDAwMDE"}],
                  "sites":[{"site":"blog","base_url":"https://blog.example.com","url_pattern":"/{language}/{slug}"}]},
                 {"tenant_id":"beta","name":"Beta","environment":"test","keys":[
                   {"client_id":"cms","scopes":["submit","read"],"token":"%s"},
                   {"client_id":"operator","scopes":["read","ops"],"token":"%s"}]},
                 {"tenant_id":"gamma","name":"Gamma","environment":"test","keys":[
                   {"client_id":"operator","scopes":["read","ops"],"token":"%s"}]},
                 {"tenant_id":"delta","name":"Delta","environment":"test","keys":[
                   {"client_id":"operator","scopes":["read","ops"],"token":"%s"}]},
                 {"tenant_id":"strict","name":"Strict","environment":"test","keys":[
                   {"client_id":"cms","scopes":["submit","read"],"token":"%s"}],
                  "policy":{"duplicate_policy":"refuse","content_policy":"refuse",
                    "check_levels":{"no_version_part":"error"}}}]}
                """
                        .formatted(
                                ALPHA,
                                ALPHA_ROTATED,
                                ALPHA_OTHER_CLIENT,
                                READ_ONLY,
                                SUBMIT_ONLY,
                                REVOCABLE,
                                OPS,
                                CALLBACK_SECRET,
                                BETA,
                                BETA_OPS,
                                GAMMA_OPS,
                                DELTA_OPS,
                                STRICT);
        try {
            Path file = Files.createTempFile(
                    "bootstrap",
                    ".json",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            file.toFile().deleteOnExit();
            Files.writeString(file, json);
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An answer, parsed. */
    public record Answer(int status, JsonNode body, Map<String, List<String>> headers, String text) {

        public String at(String name) {
            return body.path(name).asString("");
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(java.util.Locale.ROOT), List.of(""))
                    .get(0);
        }

        /** Which platforms are listed, in their order. */
        public List<String> platforms() {
            List<String> names = new ArrayList<>();
            body.path("targets")
                    .forEach(target -> names.add(target.path("platform").asString()));
            return names;
        }

        public List<String> strings(String name) {
            List<String> values = new ArrayList<>();
            body.path(name).forEach(value -> values.add(value.asString()));
            return values;
        }

        public List<String> pointers() {
            List<String> values = new ArrayList<>();
            body.path("errors")
                    .forEach(error -> values.add(error.path("pointer").asString()));
            return values;
        }
    }

    public static Answer post(String key, String path, Object body, String... headers) {
        return post(service(), key, path, body, headers);
    }

    public static Answer post(TestIngest instance, String key, String path, Object body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance.url() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    /** An update that is meant for that version; an empty one sends no If-Match. */
    public static Answer put(String key, String path, Object body, String version, String... headers) {
        return put(service(), key, path, body, version, headers);
    }

    public static Answer put(
            TestIngest instance, String key, String path, Object body, String version, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance.url() + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + key)
                .PUT(BodyPublishers.ofString(body.toString()));
        if (!version.isEmpty()) {
            request.header("If-Match", version);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    public static Answer withdraw(String key, String externalId, String... headers) {
        return post(
                key,
                "/v1/tasks/" + externalId + "/withdraw",
                "{\"status\":\"archived\",\"reason\":\"recalled\"}",
                headers);
    }

    /** Any method, with a body or ({@code ""}) without. */
    public static Answer call(String method, String key, String path, Object body, String... headers) {
        String text = body.toString();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(service().url() + path))
                .header("Authorization", "Bearer " + key)
                .method(method, text.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(text));
        if (!text.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    public static Answer get(String key, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(service().url() + path)).GET();
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        return send(request.build());
    }

    public static Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            String type = response.headers().firstValue("Content-Type").orElse("");
            JsonNode body = (type.contains("/json") || type.contains("+json"))
                            && !response.body().isEmpty()
                    ? JSON.readTree(response.body())
                    : JSON.createObjectNode();
            Map<String, List<String>> headers = new LinkedHashMap<>();
            response.headers()
                    .map()
                    .forEach((name, values) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), values));
            return new Answer(response.statusCode(), body, headers, response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The body that a campaign desk sends. */
    public static ObjectNode campaign(String externalId) {
        ObjectNode body = JSON.createObjectNode()
                .put("external_id", externalId)
                .put("group_code", "brand_official")
                .put("title", "11.11 主会场预热")
                .put("content_html", "<p>活动正文 " + externalId + "</p>")
                .put("cover_url", "https://yourcdn.example.com/promo_kv.jpg")
                .put("summary", "11.11 提前 3 天预热")
                .put("category", "电商");
        body.putArray("tags").add("双11").add("促销");
        body.putArray("target_platforms")
                .add("toutiao")
                .add("wechat_mp")
                .add("baijiahao")
                .add("zhihu");
        return body;
    }

    /** An article of a site. */
    public static ObjectNode article(String slug, String language, String text) {
        ObjectNode body = JSON.createObjectNode()
                .put("title", "An article")
                .put("content_md", text)
                .put("site", "blog")
                .put("slug", slug)
                .put("language", language)
                .put("translation_key", "pair-" + slug);
        body.putArray("target_platforms").add("wordpress").add("webhook");
        return body;
    }

    public static ObjectNode platforms(ObjectNode body, String... platforms) {
        var list = body.putArray("target_platforms");
        for (String platform : platforms) {
            list.add(platform);
        }
        return body;
    }

    /** What the event of that version told. */
    public static TaskState state(String recordKey, long version) {
        return EventJson.read(
                sql().sql("select data from ingest.outbox_event where record_key = ? and aggregate_version = ?")
                        .params(recordKey, version)
                        .query(String.class)
                        .single(),
                TaskState.class);
    }

    public static long count(String sql, Object... parameters) {
        return sql().sql("select count(*) from " + sql)
                .params(List.of(parameters))
                .query(Long.class)
                .single();
    }

    /** A first request with that key which has not ended: its record, as that of another key, not committed. */
    public static Connection holdingKey(String resource, String like, String key) throws SQLException {
        Connection first = database().asSuperuser().getConnection();
        first.setAutoCommit(false);
        try (var statement =
                first.prepareStatement("insert into ingest.idempotency_record select tenant_id, client_id, route,"
                        + " encode(sha256(convert_to(?, 'UTF8')), 'hex'), key_prefix, payload_digest, state, resource_kind,"
                        + " resource_ref, resource_id, outcome, status_code, created_at, expires_at"
                        + " from ingest.idempotency_record where resource_ref = ?"
                        + " and key_digest = encode(sha256(convert_to(?, 'UTF8')), 'hex')")) {
            statement.setString(1, key);
            statement.setString(2, resource);
            statement.setString(3, like);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("there is no such record: " + resource + " " + like);
            }
        }
        return first;
    }

    /** Runs all at the same moment, and gives back what each returned. */
    public static <T> List<T> together(List<Callable<T>> work) {
        CyclicBarrier start = new CyclicBarrier(work.size());
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> one : work) {
                futures.add(threads.submit(() -> {
                    start.await(20, TimeUnit.SECONDS);
                    return one.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(900, TimeUnit.SECONDS));
            }
            return results;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
