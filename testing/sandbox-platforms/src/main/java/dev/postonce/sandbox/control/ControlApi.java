package dev.postonce.sandbox.control;

import dev.postonce.sandbox.delivery.SignedReceiver;
import dev.postonce.sandbox.fault.FaultInjector;
import dev.postonce.sandbox.fault.FaultPlanJson;
import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.http.RequestLog;
import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.journal.Json;
import dev.postonce.sandbox.wordpress.WordPressStandIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes under {@code /_sandbox}, and health and metrics. */
public final class ControlApi {

    public static final Set<String> PLATFORMS = Set.of("wordpress", "webhook", "callbacks");

    private static final Pattern SITE_POSTS = Pattern.compile("wordpress/([^/]+)/posts");
    private static final Pattern DELIVERIES = Pattern.compile("webhook/([^/]+)/deliveries");
    private static final Pattern CALLBACKS = Pattern.compile("callbacks/([^/]+)");

    private final WordPressStandIn wordpress;
    private final SignedReceiver webhook;
    private final SignedReceiver callbacks;
    private final FaultInjector faults;
    private final RequestLog log;
    private final @Nullable Runnable reset;

    /**
     * Makes the routes.
     *
     * @param reset null = forgetting is not allowed
     */
    public ControlApi(
            WordPressStandIn wordpress,
            SignedReceiver webhook,
            SignedReceiver callbacks,
            FaultInjector faults,
            RequestLog log,
            @Nullable Runnable reset) {
        this.wordpress = wordpress;
        this.webhook = webhook;
        this.callbacks = callbacks;
        this.faults = faults;
        this.log = log;
        this.reset = reset;
    }

    public Answer answer(SandboxRequest request) {
        String path = (request.account() + request.path()).replaceAll("/+$", "");
        boolean get = request.method().equals("GET");
        Answer answer =
                switch (path) {
                    case "faults" -> get ? faultPlan() : request.method().equals("PUT") ? setFaults(request) : null;
                    case "posts" -> get ? posts() : null;
                    case "requests" -> get ? requests(request) : null;
                    case "health" -> get ? Answer.json(200, Json.object().put("status", "UP")) : null;
                    case "prometheus" -> get ? metrics() : null;
                    case "reset" -> request.method().equals("POST") ? reset() : null;
                    default -> get ? listing(path) : null;
                };
        return answer == null
                ? problem(404, "not_found", "the sandbox has no " + request.method() + " /_sandbox/" + path)
                : answer;
    }

    private @Nullable Answer listing(String path) {
        Matcher site = SITE_POSTS.matcher(path);
        if (site.matches()) {
            return Answer.json(200, array(wordpress.report(site.group(1))));
        }
        Matcher deliveries = DELIVERIES.matcher(path);
        if (deliveries.matches()) {
            return webhook.deliveries(deliveries.group(1));
        }
        Matcher sink = CALLBACKS.matcher(path);
        return sink.matches() ? callbacks.deliveries(sink.group(1)) : null;
    }

    private Answer faultPlan() {
        return Answer.json(200, FaultPlanJson.write(faults.plan()));
    }

    private Answer setFaults(SandboxRequest request) {
        JsonNode json = Json.parse(request.body());
        if (json == null) {
            return problem(400, "bad_payload", "the body is not JSON; the faults stay as they are");
        }
        try {
            faults.set(FaultPlanJson.read(json, PLATFORMS));
        } catch (IllegalArgumentException e) {
            return problem(400, "bad_payload", e.getMessage() + "; the faults stay as they are");
        }
        return faultPlan();
    }

    private Answer posts() {
        List<ObjectNode> all = new ArrayList<>();
        for (String site : wordpress.siteNames()) {
            for (ObjectNode post : wordpress.report(site)) {
                ObjectNode entry = Json.object();
                entry.put("platform", "wordpress")
                        .put("account", site)
                        .put("post_id", post.get("id").asString());
                for (String member : new String[] {"marker", "task_version", "status", "url", "slug"}) {
                    entry.set(member, post.get(member));
                }
                all.add(entry);
            }
        }
        all.addAll(webhook.articles());
        return Answer.json(200, array(all));
    }

    private Answer requests(SandboxRequest request) {
        String platform = request.parameter("platform");
        ArrayNode json = Json.mapper().createArrayNode();
        log.counts().forEach((name, count) -> {
            String[] parts = name.split(" ");
            if (platform == null || platform.equals(parts[0])) {
                ObjectNode entry = json.addObject();
                entry.put("platform", parts[0]).put("account", parts[1]).put("method", parts[2]);
                entry.put("status", Integer.parseInt(parts[3]))
                        .put("fault", parts[4])
                        .put("count", count);
            }
        });
        return Answer.json(200, json);
    }

    private Answer metrics() {
        StringBuilder text = new StringBuilder(
                        "# HELP postonce_sandbox_requests_total Requests taken by the sandbox.\n")
                .append("# TYPE postonce_sandbox_requests_total counter\n");
        for (Map.Entry<String, Long> entry : log.counts().entrySet()) {
            String[] parts = entry.getKey().split(" ");
            text.append("postonce_sandbox_requests_total{platform=\"%s\",account=\"%s\",".formatted(parts[0], parts[1]))
                    .append("method=\"%s\",status=\"%s\",fault=\"%s\"} ".formatted(parts[2], parts[3], parts[4]))
                    .append(entry.getValue())
                    .append('\n');
        }
        return Answer.text(200, "text/plain; version=0.0.4; charset=utf-8", text.toString());
    }

    private Answer reset() {
        if (reset == null) {
            return problem(403, "reset_not_allowed", "set POSTONCE_SANDBOX_ALLOW_RESET=true to allow forgetting");
        }
        reset.run();
        return Answer.empty(204);
    }

    private static Answer problem(int status, String code, String message) {
        return Answer.json(status, Json.object().put("code", code).put("message", message));
    }

    private static ArrayNode array(List<ObjectNode> entries) {
        ArrayNode array = Json.mapper().createArrayNode();
        entries.forEach(array::add);
        return array;
    }
}
