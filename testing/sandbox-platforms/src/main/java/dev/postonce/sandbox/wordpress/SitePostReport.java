package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.journal.Json;
import java.time.Instant;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A post as the control routes show it. */
final class SitePostReport {

    private SitePostReport() {}

    static ObjectNode of(StoredPost stored, String siteUrl, Instant now) {
        Post post = stored.post();
        Markers markers = stored.markers();
        ObjectNode json = Json.object();
        json.put("id", post.id());
        json.put("slug", post.slug());
        json.put("status", post.statusAt(now).word());
        json.put("title", stored.titleStart());
        json.put("author", post.authorId());
        ArrayNode all = json.putArray("markers");
        markers.all().forEach(all::add);
        if (markers.marker() == null) {
            json.putNull("marker").putNull("task_version");
        } else {
            json.put("marker", markers.marker()).put("task_version", markers.taskVersion());
        }
        json.put("url", PostJson.link(post, siteUrl, now));
        json.put("created_at", post.times().createdAt().toString());
        json.put("request_count", post.requestCount());
        return json;
    }
}
