package dev.postonce.systemtests.workload;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Sends one request once, and says what its answer, or the lack of one, means. */
final class Upstream {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(6);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(3))
            .build();
    private final String url;
    private final Function<String, Secret> keys;

    Upstream(String url, Function<String, Secret> keys) {
        this.url = url;
        this.keys = keys;
    }

    /**
     * @param version of the resource; 0 if none was told
     * @param said the problem's code, or what became of the connection
     */
    record Answer(Operation.Result result, int status, String id, long version, String said) {}

    /** Writes where the request has a body; else reads. */
    Answer send(Shapes.Request asked) throws InterruptedException {
        if (asked.body().isEmpty()) {
            return send(request(asked.tenant(), asked.path()).GET().build());
        }
        HttpRequest.Builder request = request(asked.tenant(), asked.path())
                .header("Content-Type", "application/json")
                .method(
                        asked.kind() == Operation.Kind.UPDATED ? "PUT" : "POST",
                        HttpRequest.BodyPublishers.ofString(asked.body(), StandardCharsets.UTF_8));
        if (!asked.idempotencyKey().isEmpty()) {
            request.header("Idempotency-Key", asked.idempotencyKey());
        }
        if (asked.ifMatch() > 0) {
            request.header("If-Match", "\"" + asked.ifMatch() + "\"");
        }
        return send(request.build());
    }

    private HttpRequest.Builder request(String tenant, String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(ANSWER_WITHIN)
                .header("Authorization", "Bearer " + keys.apply(tenant).reveal());
    }

    private Answer send(HttpRequest request) throws InterruptedException {
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new Answer(Operation.Result.UNKNOWN, 0, "", 0, e.getClass().getSimpleName());
        }
        JsonNode body = json(response.body());
        int status = response.statusCode();
        if (status < 300) {
            return body == null
                    ? new Answer(Operation.Result.UNKNOWN, status, "", 0, "unreadable")
                    : new Answer(
                            Operation.Result.OK,
                            status,
                            body.path("id").asString(""),
                            body.path("version").asLong(0),
                            "");
        }
        String code = body == null ? "" : body.path("error_code").asString("");
        boolean certain = status < 500 && status != 429 && !code.equals("request_in_progress");
        return new Answer(certain ? Operation.Result.FAIL : Operation.Result.UNKNOWN, status, "", 0, code);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return EventJson.mapper().readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }
}
