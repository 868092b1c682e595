package dev.postonce.standalone.demo;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import dev.postonce.standalone.verify.JsonOverHttp;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the demo asks of the sandbox: faults, posts, callbacks. */
final class Sandbox {

    private static final double SWALLOWED = 0.1;
    private static final String[] PLATFORMS = {"wordpress", "webhook", "callbacks"};

    private final JsonOverHttp http = new JsonOverHttp();
    private final String url;
    private final String tenant;

    Sandbox(String url, String tenant) {
        this.url = url;
        this.tenant = tenant;
    }

    /** Callbacks of the demo's articles: how many came, and for how many targets one said that it is published. */
    record Callbacks(long received, long distinct) {}

    /** @return the faults that were set before, to be put back */
    JsonNode swallowAnswers(long seed) throws InterruptedException {
        JsonNode before = http.get(url + "/_sandbox/faults", null);
        ObjectNode plan = EventJson.mapper().createObjectNode();
        plan.put("seed", seed);
        ObjectNode platforms = plan.putObject("platforms");
        for (String platform : PLATFORMS) {
            platforms.putObject(platform).put("swallow_rate", SWALLOWED);
        }
        http.put(url + "/_sandbox/faults", plan);
        return before;
    }

    void setFaults(JsonNode plan) throws InterruptedException {
        http.put(url + "/_sandbox/faults", plan);
    }

    /** How many answers were swallowed so far, by platform. */
    Map<String, Long> swallowed() throws InterruptedException {
        Map<String, Long> counts = new TreeMap<>();
        for (JsonNode entry : http.get(url + "/_sandbox/requests", null)) {
            if (entry.path("fault").asString("").contains("swallow")) {
                counts.merge(
                        entry.path("platform").asString(""), entry.path("count").asLong(0), Long::sum);
            }
        }
        return counts;
    }

    /** How many times each mark of ours was posted. */
    Map<String, Integer> postsByMarker() throws InterruptedException {
        Map<String, Integer> made = new HashMap<>();
        for (JsonNode post : http.get(url + "/_sandbox/posts", null)) {
            if (post.path("marker").isString()) {
                made.merge(
                        post.path("marker").stringValue(),
                        Math.max(1, post.path("effects").asInt(1)),
                        Integer::sum);
            }
        }
        return made;
    }

    /** Those of the given tasks, by {@code platform/external_id}. */
    Map<String, Integer> targetsOf(Collection<String> externalIds, Map<String, Integer> byMarker) {
        Map<String, Integer> made = new HashMap<>();
        for (String externalId : externalIds) {
            for (String name : Sample.PLATFORMS) {
                Platform platform = Platform.of(name).orElseThrow();
                Integer times = byMarker.get(TargetMarker.of(tenant, externalId, platform));
                if (times != null) {
                    made.put(name + "/" + externalId, times);
                }
            }
        }
        return made;
    }

    Callbacks callbacks(Set<String> externalIds) throws InterruptedException {
        long received = 0;
        Set<String> published = new HashSet<>();
        for (JsonNode delivery : http.get(url + "/_sandbox/callbacks/demo", null)) {
            JsonNode body = parse(delivery.path("body"));
            JsonNode told = body.has("external_id") ? body : body.path("data");
            String externalId = told.path("external_id").asString("");
            if (externalIds.contains(externalId)) {
                received++;
                if (told.path("status").asString("").equals("published")) {
                    published.add(told.path("platform").asString("") + "/" + externalId);
                }
            }
        }
        return new Callbacks(received, published.size());
    }

    private static JsonNode parse(JsonNode body) {
        try {
            return body.isString() ? EventJson.mapper().readTree(body.stringValue()) : body;
        } catch (JacksonException e) {
            return EventJson.mapper().createObjectNode();
        }
    }
}
