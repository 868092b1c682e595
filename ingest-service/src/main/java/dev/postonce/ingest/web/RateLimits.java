package dev.postonce.ingest.web;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket for each key, in this process: a request takes a token, the rate fills the bucket, and it holds what
 * two seconds give. Each instance has buckets of its own, so a key that is spread over several may send as many times
 * as much; docs/adr/0050 says why. Safe for use by several threads.
 */
public final class RateLimits {

    private static final int BUCKETS_MAX = 10_000;
    private static final int BURST_SECONDS = 2;
    private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * The request is over its key's rate.
     *
     * @param retryAfter when the next one is let through
     * @param firstOfSecond whether it is the first such request of the key in this second: the one that is audited
     */
    public record Wait(Duration retryAfter, boolean firstOfSecond) {

        /** Whole seconds, as {@code Retry-After} has them. */
        long seconds() {
            return Math.max(1, (retryAfter.toNanos() + (long) NANOS_A_SECOND - 1) / (long) NANOS_A_SECOND);
        }
    }

    private final int defaultPerSecond;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    /**
     * @param defaultPerSecond for keys without a rate of their own; 0 means no limit
     * @param nanos such as {@code System::nanoTime}
     */
    public RateLimits(int defaultPerSecond, LongSupplier nanos) {
        if (defaultPerSecond < 0) {
            throw new IllegalArgumentException("POSTONCE_RATE_PER_SECOND is 0 or more");
        }
        this.defaultPerSecond = defaultPerSecond;
        this.nanos = nanos;
    }

    /** Empty where the request may go on. */
    public Optional<Wait> take(String keyId, @Nullable Integer ratePerSecond) {
        int rate = ratePerSecond == null ? defaultPerSecond : ratePerSecond;
        if (rate == 0) {
            return Optional.empty();
        }
        long now = nanos.getAsLong();
        if (buckets.size() >= BUCKETS_MAX) {
            // A bucket that is full again says nothing.
            buckets.values().removeIf(bucket -> bucket.isFull(now));
        }
        return buckets.computeIfAbsent(keyId, key -> new Bucket(now)).take(rate, now);
    }

    int size() {
        return buckets.size();
    }

    private static final class Bucket {

        private double tokens = Double.MAX_VALUE;
        private long filledAt;
        private long fullAt;
        private long toldSecond = Long.MIN_VALUE;

        Bucket(long now) {
            this.filledAt = now;
            this.fullAt = now;
        }

        synchronized Optional<Wait> take(int rate, long now) {
            double capacity = (double) rate * BURST_SECONDS;
            // Two threads may have read the clock in another order than they come here.
            long passed = Math.max(0, now - filledAt);
            tokens = Math.min(capacity, tokens + passed / NANOS_A_SECOND * rate);
            filledAt += passed;
            if (tokens >= 1) {
                tokens -= 1;
                fullAt = now + (long) ((capacity - tokens) / rate * NANOS_A_SECOND);
                return Optional.empty();
            }
            long second = Math.floorDiv(now, (long) NANOS_A_SECOND);
            boolean first = second != toldSecond;
            toldSecond = second;
            return Optional.of(new Wait(Duration.ofNanos((long) ((1 - tokens) / rate * NANOS_A_SECOND)), first));
        }

        synchronized boolean isFull(long now) {
            return now - fullAt >= 0;
        }
    }
}
