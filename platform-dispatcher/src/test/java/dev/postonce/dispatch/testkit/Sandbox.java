package dev.postonce.dispatch.testkit;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import dev.postonce.sandbox.SandboxConfig;
import dev.postonce.sandbox.SandboxPlatforms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The sandbox, and what it was sent. */
public final class Sandbox implements AutoCloseable {

    public static final String WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final SandboxPlatforms platforms;
    private final HttpClient client = HttpClient.newHttpClient();

    public Sandbox() {
        this.platforms = SandboxPlatforms.start(SandboxConfig.forTests().withSecrets(WEBHOOK_SECRET, null));
    }

    public SandboxPlatforms platforms() {
        return platforms;
    }

    public String url() {
        return platforms.url();
    }

    public void faults(String json) {
        send("PUT", "/_sandbox/faults", json);
    }

    public List<JsonNode> posts(String site, String externalId) {
        String marker = TargetMarker.of(Tasks.TENANT, externalId, Platform.WORDPRESS);
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode post : send("GET", "/_sandbox/wordpress/" + site + "/posts", null)) {
            if (post.toString().contains(marker)) {
                found.add(post);
            }
        }
        return found;
    }

    public JsonNode posts(String site) {
        return send("GET", "/_sandbox/wordpress/" + site + "/posts", null);
    }

    public List<JsonNode> deliveries(String endpoint, String externalId) {
        String marker = TargetMarker.of(Tasks.TENANT, externalId, Platform.WEBHOOK);
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode delivery : send("GET", "/_sandbox/webhook/" + endpoint + "/deliveries", null)) {
            if (delivery.toString().contains(marker)) {
                found.add(delivery);
            }
        }
        return found;
    }

    public JsonNode all() {
        return send("GET", "/_sandbox/posts", null);
    }

    private JsonNode send(String method, String path, String body) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url() + path))
                            .method(
                                    method,
                                    body == null
                                            ? HttpRequest.BodyPublishers.noBody()
                                            : HttpRequest.BodyPublishers.ofString(body))
                            .header("content-type", "application/json")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return answer.body().isBlank()
                    ? JsonMapper.shared().nullNode()
                    : JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An accounts file for the site {@code main} and the endpoint {@code hook}. */
    public String accounts() {
        return accounts(url());
    }

    public static String accounts(String base) {
        return """
                {"tenants":{"dev":{"*":{
                  "wordpress":{"account":"main","base_url":"%1$s/wordpress/main","username":"postonce","password":"postonce-sandbox"},
                  "webhook":{"account":"hook","url":"%1$s/webhook/hook","secret":"%2$s"}}}}}
                """
                .formatted(base, WEBHOOK_SECRET);
    }

    @Override
    public void close() {
        platforms.close();
    }
}
