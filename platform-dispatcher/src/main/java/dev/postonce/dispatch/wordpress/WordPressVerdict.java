package dev.postonce.dispatch.wordpress;

import java.util.Comparator;
import java.util.List;

/** What the posts that carry our marker or our slug mean. Pure. */
sealed interface WordPressVerdict {

    /** Ours is there; {@code doubles} are later copies of it, which must go. */
    record Keep(WordPressPost post, List<WordPressPost> doubles) implements WordPressVerdict {}

    /** Ours lies in the trash. */
    record Trashed(WordPressPost post) implements WordPressVerdict {}

    /** Somebody else's post holds our slug; {@code ours} got another, which nobody asked for. */
    record SlugTaken(List<WordPressPost> ours) implements WordPressVerdict {}

    /** A post without any marker has our slug and our title: it may be ours, cleaned, or it may not. */
    record Ambiguous(WordPressPost twin) implements WordPressVerdict {}

    record Nobody() implements WordPressVerdict {}

    /** When the question is asked. */
    enum Phase {
        BEFORE_CREATE,
        /** After an attempt that may have created it, or did. */
        AFTER_CREATE
    }

    static WordPressVerdict of(List<WordPressPost> seen, String marker, String sentSlug, String title, Phase phase) {
        List<WordPressPost> ours = seen.stream()
                .filter(post -> post.carries(marker))
                .sorted(Comparator.comparingLong(WordPressPost::id))
                .toList();
        List<WordPressPost> live =
                ours.stream().filter(post -> !post.isTrashed()).toList();
        List<WordPressPost> holders = seen.stream()
                .filter(post -> !post.carries(marker) && !post.isTrashed() && post.hasSlug(sentSlug))
                .toList();
        if (!live.isEmpty()) {
            return ofLive(live, holders, sentSlug);
        }
        if (!ours.isEmpty()) {
            return holders.isEmpty() ? new Trashed(ours.get(0)) : new SlugTaken(List.of());
        }
        if (holders.isEmpty()) {
            return new Nobody();
        }
        if (phase == Phase.BEFORE_CREATE) {
            return new SlugTaken(List.of());
        }
        for (WordPressPost holder : holders) {
            if (holder.marker() == null && holder.title().equals(title)) {
                return new Ambiguous(holder);
            }
        }
        // Another's post took the slug meanwhile; ours is not there.
        return new Nobody();
    }

    /** The oldest stays: readers may have its address, and two that ask at once agree on it. */
    private static WordPressVerdict ofLive(List<WordPressPost> live, List<WordPressPost> holders, String sentSlug) {
        WordPressPost keep =
                live.stream().filter(WordPressPost::isPublic).findFirst().orElse(live.get(0));
        if (!holders.isEmpty() && live.stream().noneMatch(post -> post.hasSlug(sentSlug))) {
            return new SlugTaken(live);
        }
        return new Keep(
                keep, live.stream().filter(post -> post.id() != keep.id()).toList());
    }
}
