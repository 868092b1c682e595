package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.GAMMA_OPS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Whatever is sent, the answer is no accident: never a 5xx, always a body of the one form; on every route there is. */
class FuzzIT {

    private static final int THREADS = 8;
    private static final String[] NAMES = {
        "external_id",
        "business_ref_id",
        "group_code",
        "title",
        "content_html",
        "content_md",
        "cover_url",
        "summary",
        "tags",
        "category",
        "target_platforms",
        "callback_url",
        "canonical_url",
        "publish_at",
        "site",
        "slug",
        "language",
        "translation_key",
        "group_id",
        "operation",
        "nonsense",
        "note",
        "reason",
        "status",
        "client_id",
        "scopes",
        "rate_per_second",
        "keep_old_s",
        "name",
        "\\u0000",
        "\\ud83d"
    };
    private static final String[] VALUES = {
        "null",
        "true",
        "-0",
        "1e999",
        "[]",
        "{}",
        "\"\"",
        "\"x\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "\"双11\"",
        "\"a b\"",
        "\"fuzz-1\"",
        "\"fuzz-2\"",
        "\"2026-11-11T00:00:00Z\"",
        "\"+999999999-12-31T23:59:59Z\"",
        "\"https://example.com/\"",
        "\"https://[::1\"",
        "\"http://%zz\"",
        "\"javascript:1\"",
        "[\"toutiao\"]",
        "[\"webhook\",\"webhook\"]",
        "[[[[1]]]]",
        "[null]",
        "\"<p>x</p>\"",
        "\"<div><![CDATA[x]]>\"",
        "\"'; drop table\"",
        "\"t.me/%e4%b8\"",
        "\"@name_ok\"",
        "\"-1001234567890\"",
        "\"\\u202e\"",
        "\"..\"",
        "\"%00\"",
        "\"\\n\"",
        "1",
        "\"\uD83D\uDE00\"",
        "\"&#0;<p>&#xD800;x\""
    };

    /** What may stand in a path where an id does. */
    private static final String[] SEGMENTS = {
        "fuzz-1",
        "fuzz-2",
        "1",
        "0",
        "-1",
        "99999999999999999999",
        "nobody",
        "@name_ok",
        "https:%2F%2Ft.me%2Fname_ok",
        "%25zz%00",
        "%E4%B8%AD%2F..%3F",
        "%20",
        "%ED%A0%80",
        "..%2f..%2f",
        ";a=b",
        "a;b",
        "01a2282d-9463-703a-b171-5f3729eed3fa",
        "x".repeat(300),
        "fuzz%2012",
        "null",
        "*",
        "%F0%9F%98%80",
        "blog",
        "callback-secret"
    };

    private static final String[] QUERIES = {
        "",
        "",
        "",
        "?limit=1",
        "?limit=0",
        "?limit=x",
        "?cursor=1",
        "?cursor=%00",
        "?status=active",
        "?open=true",
        "?target_state=pending",
        "?updated_since=2026-11-11T00:00:00Z",
        "?updated_since=x",
        "?dry_run=true",
        "?dry_run=1",
        "?a=b&a=c",
        "?group_id=%40name_ok",
        "?operation=%ED",
        "?%",
        "?x=" + "y".repeat(2000),
        "?outcome=failed",
        "?site=%27"
    };
    private static final String[] HEADERS = {
        "Idempotency-Key", "If-Match", "X-Request-Id", "traceparent", "Accept", "Accept-Language", "Content-Encoding"
    };
    private static final String[] HEADER_VALUES = {
        "\"fuzz 1\"",
        "\"open",
        "*",
        "\"1\"",
        "W/\"2\"",
        "1",
        "-1",
        "99999999999999999999",
        "text/html",
        "zh;q=zz",
        "gzip",
        "x".repeat(200),
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "a, b",
        ";"
    };
    private static final String[] TYPES = {
        "application/json",
        "application/json",
        "application/json",
        "application/json; charset=utf-8",
        "text/plain",
        "",
        "x"
    };

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Always the same ones; other seeds are the long tier's. */
    private static final long SEED = 4711;

    private static final int REQUESTS = 5_000;
    /** By {@code -Pfuzz}; {@code -Dpostonce.fuzz.requests=N -Dpostonce.fuzz.seed=S} for others. */
    private static final int MANY_REQUESTS = Integer.getInteger("postonce.fuzz.requests", 100_000);

    private record Route(RequestMethod method, String pattern) {}

    @Test
    void random_requests_to_all_routes_give_no_5xx() {
        fuzz(SEED, REQUESTS);
    }

    @Test
    @Tag("fuzz")
    void a_hundred_thousand_random_requests_to_all_routes_give_no_5xx() {
        String given = System.getProperty("postonce.fuzz.seed", "");
        fuzz(given.isEmpty() ? new SecureRandom().nextInt(1_000_000) : Long.parseLong(given), MANY_REQUESTS);
    }

    private static void fuzz(long seed, int requests) {
        System.out.println("fuzz: seed " + seed + ", " + requests + " requests");
        long begin = System.nanoTime();
        String key = Intake.post(
                        GAMMA_OPS,
                        "/v1/keys",
                        "{\"client_id\":\"fuzz-" + System.nanoTime() + "\",\"scopes\":[\"submit\",\"read\",\"ops\"]}")
                .at("api_key");
        List<Route> routes = routes();
        List<Callable<Tried>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed + thread);
            work.add(() -> requests(random, key, routes, requests / THREADS));
        }

        List<Tried> tried = Intake.together(work);
        Map<Integer, Integer> statuses = new TreeMap<>();
        tried.forEach(one -> one.statuses().forEach((status, count) -> statuses.merge(status, count, Integer::sum)));
        List<String> failures =
                tried.stream().flatMap(one -> one.failures().stream()).toList();
        int accepted = statuses.getOrDefault(200, 0) + statuses.getOrDefault(201, 0);
        System.out.printf(
                Locale.ROOT,
                "fuzz: %d routes, answers %s; ledger: fuzz,%d,none,0,%d,%d,%d,%d,0,%s%n",
                routes.size(),
                statuses,
                seed,
                (System.nanoTime() - begin) / 1_000_000_000L,
                statuses.values().stream().mapToInt(Integer::intValue).sum(),
                accepted,
                failures.size(),
                failures.isEmpty() ? "clean" : "violated");
        assertThat(failures).as("seed " + seed).isEmpty();
        // It goes deep enough: some are accepted, some replayed, some refused for each of the common reasons.
        assertThat(statuses).containsKeys(200, 201, 400, 404, 405, 409, 415);
        assertThat(Intake.count("ingest.task where external_id like 'fuzz-%' and tenant_id = 'gamma'"))
                .isPositive();
    }

    private record Tried(List<String> failures, Map<Integer, Integer> statuses) {}

    /** Every route that the service has, whoever added it. */
    private static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        Intake.service()
                .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .forEach(info -> info.getPatternValues().stream()
                        .filter(pattern -> pattern.startsWith("/v1/"))
                        .forEach(pattern -> info.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> routes.add(new Route(method, pattern)))));
        // In a fixed order, so that a seed means the same in each run.
        routes.sort(Comparator.comparing(Route::pattern).thenComparing(Route::method));
        assertThat(routes).hasSizeGreaterThan(12);
        return routes;
    }

    private static Tried requests(Random random, String key, List<Route> routes, int count) {
        Tried tried = new Tried(new ArrayList<>(), new TreeMap<>());
        for (int i = 0; i < count; i++) {
            Route route = random.nextInt(2) == 0
                    ? new Route(RequestMethod.POST, random.nextInt(5) == 0 ? "/v1/groups" : "/v1/tasks")
                    : routes.get(random.nextInt(routes.size()));
            String method = random.nextInt(25) == 0
                    ? any(random, "GET", "PUT", "DELETE", "PATCH", "POST")
                    : route.method().name();
            String path = pathOf(random, route.pattern()) + (random.nextInt(3) == 0 ? any(random, QUERIES) : "");
            String body = method.equals("GET") ? "" : body(random);
            if (path.contains(":batch")) {
                body = body + "\n" + body(random) + "\n\n" + body(random);
            }
            HttpRequest request;
            try {
                request = request(random, key, method, path, body);
            } catch (IllegalArgumentException e) {
                // The client itself does not send such a thing.
                continue;
            }
            HttpResponse<String> answer = send(request);
            tried.statuses().merge(answer.statusCode(), 1, Integer::sum);
            boolean formed =
                    answer.statusCode() < 300 || answer.body().contains("\"ok\":false") || answer.statusCode() == 400;
            // A batch answers line by line. What an audit tells of other requests is theirs.
            boolean lineFailed = path.contains("tasks:batch") && answer.body().contains("\"status_code\":5");
            boolean failed = answer.statusCode() >= 500 || lineFailed;
            if (failed || !formed) {
                tried.failures()
                        .add(answer.statusCode() + " to " + method + " " + path + " " + body + ": " + answer.body());
            }
        }
        return tried;
    }

    private static String pathOf(Random random, String pattern) {
        Matcher variable = Pattern.compile("\\{[^}]*}").matcher(pattern);
        return variable.replaceAll(match -> Matcher.quoteReplacement(any(random, SEGMENTS)));
    }

    private static HttpRequest request(Random random, String key, String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Intake.service().url() + path))
                .header("Authorization", "Bearer " + key)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        String type = path.contains(":batch") && random.nextInt(8) > 0 ? "application/x-ndjson" : any(random, TYPES);
        if (!type.isEmpty() && !method.equals("GET")) {
            request.header("Content-Type", type);
        }
        if (random.nextInt(4) == 0) {
            request.setHeader("Idempotency-Key", "\"fuzz " + random.nextInt(20) + "\"");
        }
        if (random.nextInt(3) == 0) {
            request.setHeader("If-Match", "\"" + random.nextInt(4) + "\"");
        }
        if (random.nextInt(8) == 0) {
            request.setHeader(any(random, HEADERS), any(random, HEADER_VALUES));
        }
        return request.build();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String any(Random random, String... values) {
        return values[random.nextInt(values.length)];
    }

    private static String body(Random random) {
        if (random.nextInt(25) == 0) {
            return new String[] {"", "{", "[]", "{\"a\":", "\u0000", "{}x", "[".repeat(2000)}[random.nextInt(7)];
        }
        StringBuilder body = new StringBuilder("{");
        boolean nearlyRight = random.nextInt(3) > 0;
        if (nearlyRight) {
            body.append("\"title\":\"t")
                    .append(random.nextInt(3))
                    .append("\",\"content_html\":\"<p>x")
                    .append(random.nextInt(3))
                    .append("</p>\",\"target_platforms\":[\"webhook\"],\"external_id\":\"fuzz-")
                    .append(random.nextInt(30))
                    .append('"');
        }
        for (int field = random.nextInt(nearlyRight ? 2 : 9); field > 0; field--) {
            if (body.length() > 1) {
                body.append(',');
            }
            body.append('"')
                    .append(NAMES[random.nextInt(NAMES.length)])
                    .append("\":")
                    .append(VALUES[random.nextInt(VALUES.length)]);
        }
        return body.append('}').toString();
    }
}
