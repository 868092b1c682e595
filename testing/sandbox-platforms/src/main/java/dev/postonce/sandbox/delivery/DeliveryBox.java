package dev.postonce.sandbox.delivery;

import dev.postonce.sandbox.journal.JournalRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that one endpoint was sent, and what it made of it. Guarded by its own monitor. */
final class DeliveryBox {

    /** One entry of the list: what came, and whether it repeated an id. */
    record Kept(Delivery delivery, boolean duplicate, boolean bodyDiffers, JournalRef ref) {}

    /** What the receiver shows of one article. */
    static final class Article {
        private final Set<String> publishedIds = new HashSet<>();
        private long newestVersion;
        private @Nullable String newestType;

        int effects() {
            return publishedIds.size();
        }

        long newestVersion() {
            return newestVersion;
        }

        String status() {
            return "article.withdrawn".equals(newestType) ? "withdrawn" : "publish";
        }
    }

    private final List<Kept> kept = new ArrayList<>();
    private final Map<String, Long> digestById = new HashMap<>();
    private final Map<String, Article> articles = new LinkedHashMap<>();

    synchronized boolean isDuplicate(Delivery delivery) {
        return delivery.id() != null && digestById.containsKey(delivery.id());
    }

    /** Applies what is accepted and new; keeps all. */
    synchronized void add(Delivery delivery, JournalRef ref) {
        String id = delivery.id();
        boolean duplicate = isDuplicate(delivery);
        boolean differs = duplicate && !Long.valueOf(delivery.bodyDigest()).equals(digestById.get(id));
        kept.add(new Kept(delivery, duplicate, differs, ref));
        if (duplicate || delivery.refusal() != null) {
            return;
        }
        if (id != null) {
            digestById.put(id, delivery.bodyDigest());
        }
        String marker = delivery.marker();
        if (marker == null) {
            return;
        }
        Article article = articles.computeIfAbsent(marker, key -> new Article());
        if ("article.published".equals(delivery.type())) {
            article.publishedIds.add(id == null ? "none-" + kept.size() : id);
        }
        if (delivery.taskVersion() >= article.newestVersion) {
            article.newestVersion = delivery.taskVersion();
            article.newestType = delivery.type();
        }
    }

    synchronized List<Kept> kept() {
        return List.copyOf(kept);
    }

    synchronized Map<String, Article> articles() {
        return new LinkedHashMap<>(articles);
    }
}
