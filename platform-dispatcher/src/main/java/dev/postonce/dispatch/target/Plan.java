package dev.postonce.dispatch.target;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * When something is done next, and what stood in the way.
 *
 * @param dueAt null while the target rests
 * @param notBefore a retry's delay or a platform's limit; a newer version waits for it too
 * @param tries in a row without success
 * @param openAttempt the frozen attempt, until it settles
 * @param refusedKey what was refused last; see {@link Desired#key}
 */
public record Plan(
        @Nullable Instant dueAt,
        @Nullable Instant notBefore,
        int tries,
        @Nullable UUID openAttempt,
        @Nullable String refusedKey,
        @Nullable String errorCode,
        @Nullable String errorDetail) {

    public static final Plan NEW = new Plan(null, null, 0, null, null, null, null);

    public Plan dueAt(@Nullable Instant at) {
        return new Plan(at, notBefore, tries, openAttempt, refusedKey, errorCode, errorDetail);
    }

    public Plan attempting(UUID attempt, Instant now) {
        return new Plan(now, null, tries, attempt, refusedKey, errorCode, errorDetail);
    }

    /** The attempt stays open; it is looked at again at that time. */
    public Plan inDoubt(@Nullable Instant at, String code, @Nullable String detail) {
        return new Plan(at, null, tries, openAttempt, refusedKey, code, detail);
    }

    public Plan retryAt(Instant at, String code, @Nullable String detail) {
        return new Plan(at, at, tries + 1, null, refusedKey, code, detail);
    }

    public Plan succeeded() {
        return NEW;
    }

    public Plan refused(String key, String code, @Nullable String detail) {
        return new Plan(null, null, 0, null, key, code, detail);
    }

    public Plan restingWith(String code) {
        return new Plan(null, null, 0, openAttempt, refusedKey, code, null);
    }
}
