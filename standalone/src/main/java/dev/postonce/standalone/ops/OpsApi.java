package dev.postonce.standalone.ops;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Asks ingest-service's operator routes. Nothing is repeated: a key that was made twice would be two. */
final class OpsApi {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** Nobody answers there. */
    static final class SilentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        SilentException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private final String url;
    private final Secret key;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    OpsApi(String url, Secret key) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.key = key;
    }

    OpsAnswer get(String path) throws InterruptedException {
        return send(request(path).GET().build());
    }

    OpsAnswer post(String path, JsonNode body) throws InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8))
                .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + key.reveal());
    }

    private OpsAnswer send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new OpsAnswer(answer.statusCode(), parse(answer.body()));
        } catch (IOException e) {
            throw new SilentException(
                    url + " does not answer (" + e.getClass().getSimpleName()
                            + "); whether it did what was asked is not known: list, then try again. 服务无响应",
                    e);
        }
    }

    private static JsonNode parse(String body) {
        try {
            return EventJson.mapper().readTree(body);
        } catch (JacksonException e) {
            return EventJson.mapper().missingNode();
        }
    }
}
