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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Sends a request, or a batch, once, and says what its answer, or the lack of one, means. */
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

    Answer send(Request asked) throws InterruptedException {
        HttpRequest.Builder request = request(asked.tenant(), asked.path())
                .method(
                        asked.method(),
                        asked.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(asked.body(), StandardCharsets.UTF_8));
        if (!asked.body().isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (!asked.idempotencyKey().isEmpty()) {
            request.header("Idempotency-Key", asked.idempotencyKey());
        }
        if (asked.ifMatch() > 0) {
            request.header("If-Match", "\"" + asked.ifMatch() + "\"");
        }
        return send(request.build());
    }

    /** @return an answer for each line; unknown for those that have none */
    List<Answer> sendBatch(List<Request> lines) throws InterruptedException {
        StringBuilder body = new StringBuilder();
        lines.forEach(line -> body.append(line(line)).append('\n'));
        HttpRequest request = request(lines.get(0).tenant(), Shapes.TASKS + ":batch")
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8))
                .build();
        List<Answer> answers = new ArrayList<>(
                Collections.nCopies(lines.size(), new Answer(Operation.Result.UNKNOWN, 0, "", 0, "no answer")));
        // The client's own limit ends with the head of an answer.
        CompletableFuture<HttpResponse<String>> response =
                http.sendAsync(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        try {
            response.get(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .body()
                    .lines()
                    .map(Upstream::json)
                    .filter(answer -> answer != null && answer.has("line"))
                    .forEach(answer -> answers.set(
                            answer.path("line").asInt() - 1,
                            judged(answer.path("status_code").asInt(), answer)));
        } catch (ExecutionException | TimeoutException e) {
            response.cancel(true);
        }
        return answers;
    }

    private static String line(Request request) {
        return request.idempotencyKey().isEmpty() || !request.body().startsWith("{")
                ? request.body()
                : "{\"idempotency_key\":\"" + request.idempotencyKey() + "\","
                        + request.body().substring(1);
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
        return judged(response.statusCode(), json(response.body()));
    }

    private static Answer judged(int status, @Nullable JsonNode body) {
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
