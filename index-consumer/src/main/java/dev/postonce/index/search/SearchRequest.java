package dev.postonce.index.search;

import dev.postonce.index.event.IndexKind;
import dev.postonce.index.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/** A checked question. */
record SearchRequest(String text, @Nullable IndexKind kind, int limit, @Nullable String cursor) {

    private static final int TEXT_CHARACTERS_MAX = 200;
    private static final int LIMIT_DEFAULT = 20;
    private static final int LIMIT_MAX = 100;
    private static final int CURSOR_CHARACTERS_MAX = 4_000;

    static SearchRequest of(
            @Nullable String q, @Nullable String kind, @Nullable String limit, @Nullable String cursor) {
        if (q == null || q.isBlank()) {
            throw ProblemException.badQuery("q is missing: what is to be found?");
        }
        if (q.length() > TEXT_CHARACTERS_MAX) {
            throw ProblemException.badQuery("q is longer than " + TEXT_CHARACTERS_MAX + " characters");
        }
        if (cursor != null && cursor.length() > CURSOR_CHARACTERS_MAX) {
            throw ProblemException.badQuery("cursor is not one of ours");
        }
        return new SearchRequest(q, kindOf(kind), limitOf(limit, LIMIT_DEFAULT, LIMIT_MAX), cursor);
    }

    private static @Nullable IndexKind kindOf(@Nullable String kind) {
        if (kind == null || kind.isEmpty()) {
            return null;
        }
        return IndexKind.of(kind).orElseThrow(() -> ProblemException.badQuery("kind is task or group"));
    }

    static int limitOf(@Nullable String limit, int otherwise, int max) {
        if (limit == null || limit.isEmpty()) {
            return otherwise;
        }
        if (!limit.matches("[0-9]{1,6}") || Integer.parseInt(limit) < 1 || Integer.parseInt(limit) > max) {
            throw ProblemException.badQuery("limit is a number from 1 to " + max);
        }
        return Integer.parseInt(limit);
    }
}
