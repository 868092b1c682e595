package dev.postonce.standalone.verify;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Asks the stack's own services for JSON. */
public final class JsonOverHttp {

    private static final int OK = 200;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @throws CouldNotReadException if the answer is not 200 with JSON */
    public JsonNode get(String url, @Nullable Secret key) throws InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER).GET();
        if (key != null) {
            request.header("Authorization", "Bearer " + key.reveal());
        }
        return send(url, request.build());
    }

    /** @throws CouldNotReadException if the answer is not 200 with JSON */
    public JsonNode put(String url, JsonNode body) throws InterruptedException {
        return send(
                url,
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(ANSWER)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8))
                        .build());
    }

    /** @throws CouldNotReadException if the answer is not 200 */
    String text(String url) throws InterruptedException {
        return body(
                url,
                HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER).GET().build());
    }

    private JsonNode send(String url, HttpRequest request) throws InterruptedException {
        try {
            return EventJson.mapper().readTree(body(url, request));
        } catch (JacksonException e) {
            throw new CouldNotReadException(url + " did not answer: " + e, e);
        }
    }

    private String body(String url, HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> answer =
                    http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (answer.statusCode() != OK) {
                throw new CouldNotReadException(url + " answered " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException e) {
            throw new CouldNotReadException(url + " did not answer: " + e, e);
        }
    }
}
