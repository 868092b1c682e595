package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.journal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A post without its texts, which stay in the journal.
 *
 * @param desiredSlug what the slug was before the trash suffixed it; null if it was not
 * @param requestCount how many requests changed it, the creation included
 */
record Post(
        long id,
        String slug,
        PostStatus status,
        long authorId,
        @Nullable String desiredSlug,
        Times times,
        int requestCount) {

    /** In whole seconds, as WordPress keeps them; {@code createdAt} is the sandbox's own and exact. */
    record Times(Instant createdAt, Instant date, Instant modified) {}

    Post withSlug(String newSlug, @Nullable String newDesiredSlug) {
        return new Post(id, newSlug, status, authorId, newDesiredSlug, times, requestCount);
    }

    /** The status at a moment: what was scheduled is published when its time has come. */
    PostStatus statusAt(Instant now) {
        return status == PostStatus.FUTURE && !times.date().isAfter(now) ? PostStatus.PUBLISH : status;
    }

    ObjectNode toJson(PostTexts texts) {
        ObjectNode json = Json.object();
        json.put("id", id);
        json.put("slug", slug);
        json.put("status", status.word());
        json.put("author", authorId);
        if (desiredSlug != null) {
            json.put("desired_slug", desiredSlug);
        }
        json.put("created_at", times.createdAt().toString());
        json.put("date", times.date().toString());
        json.put("modified", times.modified().toString());
        json.put("request_count", requestCount);
        json.put("title", texts.title());
        json.put("content", texts.content());
        json.put("excerpt", texts.excerpt());
        return json;
    }

    static Post fromJson(JsonNode json) {
        return new Post(
                json.get("id").asLong(),
                json.get("slug").asString(),
                PostStatus.ofWord(json.get("status").asString()),
                json.get("author").asLong(),
                Json.text(json, "desired_slug"),
                new Times(
                        Instant.parse(json.get("created_at").asString()),
                        Instant.parse(json.get("date").asString()),
                        Instant.parse(json.get("modified").asString())),
                json.get("request_count").asInt());
    }
}
