package dev.postonce.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to go on.
 *
 * @param triesMax in all, the first included
 * @param firstDelay before the second try; doubled from then on
 * @param delayMax the most that the client waits of its own accord
 * @param retryAfterMax the most that a server may ask for; if it asks for more, the client gives up rather than come
 *     too early
 * @param answerTimeout for one try
 */
public record RetryPolicy(
        int triesMax, Duration firstDelay, Duration delayMax, Duration retryAfterMax, Duration answerTimeout) {

    public RetryPolicy {
        if (triesMax < 1) {
            throw new IllegalArgumentException("at least one try, not " + triesMax);
        }
        if (firstDelay.isNegative() || delayMax.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("delays from " + firstDelay + " up to " + delayMax + " make no sense");
        }
    }

    /** Goes on for about two minutes. */
    public static RetryPolicy standard() {
        return new RetryPolicy(
                10, Duration.ofMillis(200), Duration.ofSeconds(20), Duration.ofSeconds(60), Duration.ofSeconds(30));
    }

    /**
     * Between half and the whole of a doubling delay, so that clients that failed together do not come back together.
     *
     * @param failed tries so far, at least one
     */
    Duration delayAfter(int failed, RandomGenerator random) {
        int doublings = Math.min(failed - 1, 30);
        long wholeMs = Math.min(firstDelay.toMillis() << doublings, delayMax.toMillis());
        return Duration.ofMillis(wholeMs / 2 + random.nextLong(wholeMs / 2 + 1));
    }
}
