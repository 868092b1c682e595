package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.PostFact;
import dev.postonce.runtime.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what is asked for over HTTP: a replica's entries, and the sandbox's posts. */
final class HttpFacts {

    /** What the sandbox can list whole. */
    static final Set<String> SANDBOX_PLATFORMS = Set.of("wordpress", "webhook");

    private static final int ENTRIES_A_PAGE = 1_000;
    private static final Set<String> LIVE = Set.of("publish", "published");

    private final JsonOverHttp http = new JsonOverHttp();

    static String sinkName(String indexUrl) {
        return "replica " + indexUrl;
    }

    /** @param tenantId whom the key belongs to; the replica gives no other tenant's entries */
    void entries(String indexUrl, Secret key, String tenantId, KeyFilter filter, FactSink sink)
            throws InterruptedException {
        String after = "";
        do {
            String page = indexUrl + "/v1/replica/entries?limit=" + ENTRIES_A_PAGE
                    + (after.isEmpty() ? "" : "&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8));
            JsonNode listing = http.get(page, key);
            for (JsonNode line : listing.path("entries")) {
                entry(indexUrl, tenantId, line, filter, sink);
            }
            after = listing.path("next").asString("");
        } while (!after.isEmpty());
    }

    private static void entry(String indexUrl, String tenantId, JsonNode line, KeyFilter filter, FactSink sink) {
        AggregateKey.Kind kind =
                line.path("kind").asString("").equals("group") ? AggregateKey.Kind.GROUP : AggregateKey.Kind.TASK;
        AggregateKey key = new AggregateKey(kind, line.path("record_key").asString(""));
        if (filter.takes(key)) {
            sink.entry(new EntryFact(
                    key,
                    sinkName(indexUrl),
                    tenantId,
                    line.path("version").asLong(0),
                    line.path("deleted").asBoolean(false),
                    Fingerprint.ofHex(line.path("content_digest").asString(""))));
        }
    }

    /** Posts without a mark of ours are somebody else's, and none of our business. */
    void posts(String sandboxUrl, FactSink sink) throws InterruptedException {
        for (JsonNode post : http.get(sandboxUrl + "/_sandbox/posts", null)) {
            String marker = text(post, "marker");
            if (marker != null) {
                sink.post(new PostFact(
                        post.path("platform").asString(""),
                        post.path("account").asString(""),
                        post.path("post_id").asString(""),
                        marker,
                        post.path("task_version").isNumber()
                                ? (Long) post.path("task_version").asLong()
                                : null,
                        LIVE.contains(post.path("status").asString("")),
                        post.path("effects").asInt(1)));
            }
        }
    }

    private static @Nullable String text(JsonNode json, String name) {
        return json.path(name).isString() ? json.path(name).stringValue() : null;
    }
}
