package dev.postonce.sandbox.wordpress;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** WordPress' own words. */
enum PostStatus {
    PUBLISH,
    FUTURE,
    DRAFT,
    PENDING,
    PRIVATE,
    TRASH;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isSettable() {
        return this != TRASH;
    }

    static @Nullable PostStatus find(String word) {
        for (PostStatus status : values()) {
            if (status.word().equals(word)) {
                return status;
            }
        }
        return null;
    }

    static PostStatus ofWord(String word) {
        PostStatus status = find(word);
        if (status == null) {
            throw new IllegalArgumentException("no post status " + word);
        }
        return status;
    }
}
