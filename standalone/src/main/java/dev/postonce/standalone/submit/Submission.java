package dev.postonce.standalone.submit;

import java.util.Locale;
import java.util.Optional;

/**
 * One line, ready to be sent.
 *
 * @param named whether it carries an identity of its own; without one the service derives it from the content, and an
 *     Idempotency-Key would stand in the way of that
 */
public record Submission(long line, Kind kind, String body, boolean named) {

    /** What a line can be. */
    public enum Kind {
        TASK,
        GROUP;

        public static Optional<Kind> of(String word) {
            for (Kind kind : values()) {
                if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }
}
