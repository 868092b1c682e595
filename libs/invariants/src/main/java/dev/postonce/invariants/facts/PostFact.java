package dev.postonce.invariants.facts;

import org.jspecify.annotations.Nullable;

/**
 * A post that a platform has.
 *
 * @param marker the mark of its target
 * @param taskVersion that it shows, where the platform tells
 * @param live whether a visitor sees it; false for one that was taken back
 * @param effects how many times it was made, where one post id can stand for several (a webhook)
 */
public record PostFact(
        String platform,
        String account,
        String postId,
        String marker,
        @Nullable Long taskVersion,
        boolean live,
        int effects) {}
