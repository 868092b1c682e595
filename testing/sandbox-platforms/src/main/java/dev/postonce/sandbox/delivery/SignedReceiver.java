package dev.postonce.sandbox.delivery;

import dev.postonce.sandbox.fault.FaultSettings;
import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.http.Recording;
import dev.postonce.sandbox.http.RequestLog;
import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.http.StandIn;
import dev.postonce.sandbox.journal.JournalRef;
import dev.postonce.sandbox.journal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes Standard Webhooks deliveries: the webhook platform, and an upstream's callback sink. It verifies when it knows
 * the secret, acts once for each {@code webhook-id}, and keeps every delivery.
 */
public final class SignedReceiver implements StandIn {

    private static final int BOXES_MAX = 1000;

    private final String platform;
    private final @Nullable StandardWebhooks verifier;
    private final RequestLog log;
    private final InstantSource clock;
    private final Supplier<String> baseUrl;
    private final Map<String, DeliveryBox> boxes = new ConcurrentSkipListMap<>();

    /**
     * Makes a receiver.
     *
     * @param secret null = signatures are not looked at
     */
    public SignedReceiver(
            String platform, @Nullable String secret, RequestLog log, InstantSource clock, Supplier<String> baseUrl) {
        this.platform = platform;
        this.verifier = secret == null || secret.isBlank() ? null : new StandardWebhooks(secret);
        this.log = log;
        this.clock = clock;
        this.baseUrl = baseUrl;
    }

    @Override
    public String platform() {
        return platform;
    }

    @Override
    public boolean changesSomething(SandboxRequest request) {
        return request.method().equals("POST") || request.method().equals("PUT");
    }

    @Override
    public Answer act(SandboxRequest request, Recording recording) {
        if (!changesSomething(request)) {
            return request.method().equals("GET") ? page(request) : Answer.empty(405);
        }
        Delivery delivery = Delivery.of(request, refusal(request));
        DeliveryBox box = box(request.account());
        int status = delivery.refusal() == null ? 200 : 401;
        boolean duplicate;
        synchronized (box) {
            duplicate = box.isDuplicate(delivery);
            JournalRef ref = recording.record(status, Json.object().set("delivery", delivery.toJson()));
            box.add(delivery, ref);
        }
        if (delivery.refusal() != null) {
            return Answer.json(
                    401, Json.object().put("code", "invalid_signature").put("message", delivery.refusal()));
        }
        ObjectNode answer = Json.object().put("ok", true).put("duplicate", duplicate);
        if (delivery.marker() != null) {
            answer.put("url", url(request.account(), delivery.marker()));
        }
        return Answer.json(200, answer);
    }

    private @Nullable String refusal(SandboxRequest request) {
        String id = request.header("webhook-id");
        if (id != null && id.length() > Delivery.ID_CHARACTERS_MAX) {
            return "webhook-id is longer than " + Delivery.ID_CHARACTERS_MAX + " characters";
        }
        return verifier == null
                ? null
                : verifier.refusal(
                        id,
                        request.header("webhook-timestamp"),
                        request.header("webhook-signature"),
                        request.body(),
                        clock.instant());
    }

    private Answer page(SandboxRequest request) {
        DeliveryBox box = boxes.get(request.account());
        String marker = request.path().replaceFirst("^/articles/", "");
        DeliveryBox.Article article = box == null ? null : box.articles().get(marker);
        return article == null
                ? Answer.text(404, "text/plain; charset=UTF-8", "no such article\n")
                : Answer.text(
                        200, "text/plain; charset=UTF-8", article.status() + " v" + article.newestVersion() + "\n");
    }

    private String url(String account, String marker) {
        return baseUrl.get() + "/" + platform + "/" + account + "/articles/" + marker;
    }

    @Override
    public Answer tooManyRequests(FaultSettings settings) {
        return Answer.json(429, Json.object().put("code", "too_many_requests").put("message", "Too many requests."));
    }

    @Override
    public void replay(JsonNode line, JournalRef ref) {
        JsonNode delivery = line.path("effect").get("delivery");
        if (delivery != null) {
            box(line.get("account").asString()).add(Delivery.fromJson(delivery), ref);
        }
    }

    @Override
    public void clear() {
        boxes.clear();
    }

    private DeliveryBox box(String account) {
        if (boxes.size() >= BOXES_MAX && !boxes.containsKey(account)) {
            throw new IllegalStateException("the sandbox has at most " + BOXES_MAX + " endpoints of a kind");
        }
        return boxes.computeIfAbsent(account, key -> new DeliveryBox());
    }

    /** Every delivery to one endpoint, in order of arrival, with headers and exact body. */
    public Answer deliveries(String account) {
        DeliveryBox box = boxes.get(account);
        List<DeliveryBox.Kept> kept = box == null ? List.of() : box.kept();
        return Answer.streamedJson(out -> writeAll(kept, out)).with("X-Total", String.valueOf(kept.size()));
    }

    private void writeAll(List<DeliveryBox.Kept> kept, OutputStream out) throws IOException {
        String separator = "[";
        for (DeliveryBox.Kept one : kept) {
            out.write(separator.getBytes(StandardCharsets.UTF_8));
            out.write(Json.bytes(report(one)));
            separator = ",\n";
        }
        out.write((kept.isEmpty() ? "[]\n" : "]\n").getBytes(StandardCharsets.UTF_8));
    }

    private ObjectNode report(DeliveryBox.Kept kept) {
        JsonNode line = log.line(kept.ref());
        ObjectNode json = Json.object();
        json.set("received_at", line.get("at"));
        json.put("webhook_id", kept.delivery().id());
        // Null where there was no secret to verify with.
        json.put(
                "verified", verifier == null ? null : (Boolean) (kept.delivery().refusal() == null));
        json.put("refusal", kept.delivery().refusal());
        json.put("duplicate", kept.duplicate());
        json.put("body_differs", kept.bodyDiffers());
        json.set("status", line.get("status"));
        json.set("fault", line.get("fault"));
        json.set("headers", line.get("headers"));
        for (String member : new String[] {"body", "body_base64"}) {
            if (line.has(member)) {
                json.set(member, line.get(member));
            }
        }
        return json;
    }

    /** One entry for each article and endpoint. */
    public List<ObjectNode> articles() {
        List<ObjectNode> entries = new ArrayList<>();
        boxes.forEach((account, box) -> box.articles().forEach((marker, article) -> {
            ObjectNode json = Json.object();
            json.put("platform", platform)
                    .put("account", account)
                    .put("post_id", marker)
                    .put("marker", marker);
            json.put("task_version", article.newestVersion()).put("status", article.status());
            entries.add(json.put("url", url(account, marker)).put("effects", article.effects()));
        }));
        return entries;
    }
}
