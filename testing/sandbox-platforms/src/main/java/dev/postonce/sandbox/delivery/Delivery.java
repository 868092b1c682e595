package dev.postonce.sandbox.delivery;

import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.journal.Json;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One delivery, as it is remembered; the body stays in the journal.
 *
 * @param id the {@code webhook-id}; null if it had none
 * @param refusal why the signature was refused; null if it was accepted, or not looked at
 * @param bodyDigest to tell whether a repeated id brought the same bytes
 * @param type the body's type, such as {@code article.published}; null if it has none
 */
record Delivery(
        @Nullable String id,
        @Nullable String refusal,
        long bodyDigest,
        @Nullable String type,
        @Nullable String marker,
        long taskVersion) {

    static final int ID_CHARACTERS_MAX = 256;

    private static final int WORD_CHARACTERS_MAX = 64;

    static Delivery of(SandboxRequest request, @Nullable String refusal) {
        JsonNode body = Json.parse(request.body());
        JsonNode root = body == null ? Json.object() : body;
        JsonNode data = root.path("data");
        return new Delivery(
                start(request.header("webhook-id"), ID_CHARACTERS_MAX),
                refusal,
                digest(request.body()),
                root.isObject() ? start(Json.text(root, "type"), WORD_CHARACTERS_MAX) : null,
                data.isObject() ? start(Json.text(data, "marker"), WORD_CHARACTERS_MAX) : null,
                data.path("task_version").asLong(0));
    }

    /** What stays in memory is bounded; the whole of it is in the journal. */
    private static @Nullable String start(@Nullable String text, int charactersMax) {
        return text == null || text.length() <= charactersMax ? text : text.substring(0, charactersMax);
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object();
        json.put("id", id).put("refusal", refusal).put("body_digest", bodyDigest);
        return json.put("type", type).put("marker", marker).put("task_version", taskVersion);
    }

    static Delivery fromJson(JsonNode json) {
        return new Delivery(
                Json.text(json, "id"),
                Json.text(json, "refusal"),
                json.path("body_digest").asLong(0),
                Json.text(json, "type"),
                Json.text(json, "marker"),
                json.path("task_version").asLong(0));
    }

    private static long digest(byte[] body) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(body))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
