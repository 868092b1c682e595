package dev.postonce.ingest.callback;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** When a callback is tried again, and when no more. */
final class RetrySchedule {

    private static final double JITTER = 0.1;
    private static final Duration RETRY_AFTER_MAX = Duration.ofHours(24);

    private final List<Duration> delays;
    private final RandomGenerator random;

    RetrySchedule(List<Duration> delays, RandomGenerator random) {
        this.delays = delays;
        this.random = random;
    }

    Duration beforeFirst() {
        return delays.get(0);
    }

    /**
     * @param attempts made so far, at least one
     * @param retryAfter what the receiver asked for; it is waited for, up to a day, and is never a reason to hurry
     * @return empty when there is no attempt left: the callback is parked
     */
    Optional<Duration> after(int attempts, @Nullable Duration retryAfter) {
        if (attempts >= delays.size()) {
            return Optional.empty();
        }
        Duration delay = jittered(delays.get(attempts));
        if (retryAfter == null) {
            return Optional.of(delay);
        }
        Duration asked = retryAfter.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : retryAfter;
        return Optional.of(asked.compareTo(delay) > 0 ? asked : delay);
    }

    /** Up to a tenth more or less, so that a receiver that comes back does not meet all callbacks at once. */
    private Duration jittered(Duration delay) {
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Duration.ofMillis(Math.round(delay.toMillis() * factor));
    }
}
