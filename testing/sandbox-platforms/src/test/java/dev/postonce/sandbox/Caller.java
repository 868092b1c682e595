package dev.postonce.sandbox;

import dev.postonce.sandbox.journal.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Calls a sandbox over real HTTP, on a new connection each time as the services do. */
public final class Caller {

    public static final String POSTS = "/wp-json/wp/v2/posts";

    private final String base;
    private final String user;
    private final Duration timeout;

    public Caller(String base) {
        this(base, SandboxConfig.DEFAULT_USER + ":" + SandboxConfig.DEFAULT_PASSWORD, Duration.ofSeconds(20));
    }

    private Caller(String base, String user, Duration timeout) {
        this.base = base;
        this.user = user;
        this.timeout = timeout;
    }

    /** {@code name:password}; empty = nobody. */
    public Caller as(String credentials) {
        return new Caller(base, credentials, timeout);
    }

    public Caller withTimeout(Duration newTimeout) {
        return new Caller(base, user, newTimeout);
    }

    public record Reply(int status, HttpResponse<String> response) {
        public JsonNode json() {
            return Json.mapper().readTree(response.body());
        }

        public String text(String member) {
            return json().path(member).asString();
        }

        public long id() {
            return json().get("id").asLong();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    public Reply get(String path) {
        return call("GET", path, null, Map.of());
    }

    public Reply post(String path, String body) {
        return call("POST", path, body, Map.of());
    }

    public Reply call(String method, String path, String body, Map<String, String> headers) {
        try {
            return tryCall(method, path, body, headers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #call}; the connection's own failures are the caller's to see. */
    public Reply tryCall(String method, String path, String body, Map<String, String> headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(timeout)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        if (!user.isEmpty()) {
            String token = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + token);
        }
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** A create's body. */
    public static String post(String slug, String status, String content) {
        return Json.object()
                .put("title", "Title of " + slug)
                .put("content", content)
                .put("slug", slug)
                .put("status", status)
                .toString();
    }
}
