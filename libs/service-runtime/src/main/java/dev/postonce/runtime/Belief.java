package dev.postonce.runtime;

import java.time.Duration;
import java.time.Instant;

/**
 * When something that was looked up may be believed without being looked up again. Before its beginning it may not: then
 * the clock was set back, and nobody knows how long ago that was.
 */
public record Belief(Instant from, Instant until) {

    public static Belief of(Instant now, Duration lasting) {
        return new Belief(now, now.plus(lasting));
    }

    public boolean holdsAt(Instant now) {
        return !now.isBefore(from) && now.isBefore(until);
    }
}
