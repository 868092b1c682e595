package dev.postonce.systemtests.harness;

import dev.postonce.contract.EventJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;

/** Scripts the misbehaviour of platforms and of the callback sink, and counts it. */
public final class SandboxControl {

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    public SandboxControl(Cluster cluster) {
        this.url = cluster.sandboxUrl();
    }

    /** @param platforms JSON, such as {@code {"wordpress":{"swallow_rate":0.2}}} */
    public void faults(long seed, String platforms) {
        send(HttpRequest.newBuilder(URI.create(url + "/_sandbox/faults"))
                .PUT(HttpRequest.BodyPublishers.ofString("{\"seed\":" + seed + ",\"platforms\":" + platforms + "}"))
                .build());
    }

    public void heal() {
        faults(0, "{}");
    }

    /** How many requests suffered a fault so far. */
    public long harmed() {
        long harmed = 0;
        for (JsonNode line : EventJson.mapper()
                .readTree(send(HttpRequest.newBuilder(URI.create(url + "/_sandbox/requests"))
                        .build()))) {
            String fault = line.path("fault").asString("");
            if (!fault.isEmpty() && !fault.equals("-") && !fault.equals("none")) {
                harmed += line.path("count").asLong(0);
            }
        }
        return harmed;
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(
                        "the sandbox answers " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
