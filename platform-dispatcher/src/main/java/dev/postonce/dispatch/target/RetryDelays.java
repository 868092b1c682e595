package dev.postonce.dispatch.target;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Doubling delays with full jitter in their upper half, between a floor and a cap. */
public record RetryDelays(Duration min, Duration max) {

    private static final int DOUBLINGS_MAX = 20;

    public RetryDelays {
        if (min.isNegative() || min.isZero() || max.compareTo(min) < 0) {
            throw new IllegalArgumentException("retry delays need 0 < min <= max, were " + min + " and " + max);
        }
    }

    /** @param tries how often in a row it was tried before; 0 for the first delay */
    public Duration after(int tries, RandomGenerator random) {
        long doubled = min.toMillis() << Math.min(Math.max(tries, 0), DOUBLINGS_MAX);
        long capped = Math.min(doubled, max.toMillis());
        long half = Math.max(1, capped / 2);
        return Duration.ofMillis(capped - half + random.nextLong(half + 1));
    }

    /** What the platform asked for, but never less than the floor nor more than a day. */
    public Duration obeying(Duration asked, RandomGenerator random) {
        long ms = Math.min(
                Math.max(asked.toMillis(), min.toMillis()), Duration.ofDays(1).toMillis());
        return Duration.ofMillis(ms + random.nextLong(Math.max(1, Math.min(ms / 10, max.toMillis()))));
    }
}
