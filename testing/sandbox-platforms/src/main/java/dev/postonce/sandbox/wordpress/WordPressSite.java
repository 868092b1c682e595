package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.Recording;
import dev.postonce.sandbox.http.RequestLog;
import dev.postonce.sandbox.journal.JournalRef;
import dev.postonce.sandbox.journal.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One site's posts. Like WordPress' table it has no unique slug: asking for a free one and taking it are two steps.
 * Safe for use by several threads.
 */
final class WordPressSite {

    private final String name;
    private final RequestLog log;
    private final ConcurrentSkipListMap<Long, StoredPost> posts = new ConcurrentSkipListMap<>();
    private final Map<String, Set<Long>> idsBySlug = new ConcurrentHashMap<>();
    private final Map<String, Set<Long>> idsByMarker = new ConcurrentHashMap<>();
    private long lastId;

    WordPressSite(String name, RequestLog log) {
        this.name = name;
        this.log = log;
    }

    String name() {
        return name;
    }

    @Nullable
    StoredPost find(long id) {
        return posts.get(id);
    }

    StoredPost get(long id) {
        StoredPost post = posts.get(id);
        if (post == null) {
            throw RestError.noSuchPost();
        }
        return post;
    }

    List<StoredPost> all() {
        return new ArrayList<>(posts.values());
    }

    /** Those that have exactly this slug; more than one where creates raced. */
    List<StoredPost> withSlug(String slug) {
        List<StoredPost> found = new ArrayList<>();
        for (Long id : idsBySlug.getOrDefault(slug, Set.of())) {
            StoredPost post = posts.get(id);
            if (post != null && post.post().slug().equals(slug)) {
                found.add(post);
            }
        }
        return found;
    }

    List<StoredPost> withMarker(String marker) {
        List<StoredPost> found = new ArrayList<>();
        for (Long id : idsByMarker.getOrDefault(marker, Set.of())) {
            StoredPost post = posts.get(id);
            if (post != null && post.markers().all().contains(marker)) {
                found.add(post);
            }
        }
        return found;
    }

    /** Posts in the trash count too, under the slug that they have there. */
    boolean isTaken(String slug, long exceptId) {
        return withSlug(slug).stream().anyMatch(post -> post.post().id() != exceptId);
    }

    PostTexts texts(StoredPost post) {
        return PostTexts.fromJson(log.line(post.ref()).get("effect").get("post"));
    }

    synchronized StoredPost create(UnaryOperator<Post> withId, Post template, PostTexts texts, Recording recording) {
        Post numbered = withId.apply(new Post(
                lastId + 1,
                template.slug(),
                template.status(),
                template.authorId(),
                template.desiredSlug(),
                template.times(),
                template.requestCount()));
        return store(numbered, texts, recording, 201);
    }

    /** Changes the post as it is now, whatever it was when the request came: the last writer wins. */
    synchronized StoredPost update(
            long id, UnaryOperator<Post> change, UnaryOperator<PostTexts> textChange, Recording recording) {
        StoredPost current = get(id);
        return store(change.apply(current.post()), textChange.apply(texts(current)), recording, 200);
    }

    synchronized void delete(long id, Recording recording) {
        get(id);
        recording.record(200, Json.object().put("deleted", id));
        forget(id);
    }

    private StoredPost store(Post post, PostTexts texts, Recording recording, int status) {
        JournalRef ref = recording.record(status, Json.object().set("post", post.toJson(texts)));
        return show(post, texts, ref);
    }

    private StoredPost show(Post post, PostTexts texts, JournalRef ref) {
        StoredPost before = posts.get(post.id());
        StoredPost stored = StoredPost.of(post, texts, ref);
        add(idsBySlug, post.slug(), post.id());
        stored.markers().all().forEach(marker -> add(idsByMarker, marker, post.id()));
        posts.put(post.id(), stored);
        if (before != null && !before.post().slug().equals(post.slug())) {
            drop(idsBySlug, before.post().slug(), post.id());
        }
        if (before != null) {
            before.markers().all().stream()
                    .filter(marker -> !stored.markers().all().contains(marker))
                    .forEach(marker -> drop(idsByMarker, marker, post.id()));
        }
        lastId = Math.max(lastId, post.id());
        return stored;
    }

    private void forget(long id) {
        StoredPost removed = posts.remove(id);
        if (removed != null) {
            drop(idsBySlug, removed.post().slug(), id);
            removed.markers().all().forEach(marker -> drop(idsByMarker, marker, id));
        }
    }

    private static void add(Map<String, Set<Long>> index, String key, long id) {
        index.compute(key, (unused, ids) -> {
            Set<Long> known = ids == null ? ConcurrentHashMap.newKeySet() : ids;
            known.add(id);
            return known;
        });
    }

    private static void drop(Map<String, Set<Long>> index, String key, long id) {
        index.computeIfPresent(key, (unused, ids) -> {
            ids.remove(id);
            return ids.isEmpty() ? null : ids;
        });
    }

    synchronized void replay(JsonNode effect, JournalRef ref) {
        JsonNode post = effect.get("post");
        if (post != null) {
            show(Post.fromJson(post), PostTexts.fromJson(post), ref);
        } else if (effect.has("deleted")) {
            long id = effect.get("deleted").asLong();
            forget(id);
            lastId = Math.max(lastId, id);
        }
    }
}
