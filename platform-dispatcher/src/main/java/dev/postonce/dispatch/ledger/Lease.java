package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.target.TargetId;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker's claim on a target: a token that each write is checked against, and the time until which it may send,
 * by the monotonic clock, counted from before the claim was asked for.
 */
public final class Lease implements SendGuard {

    private static final int MARGIN_DIVISOR = 5;

    private final TargetId id;
    private final long token;
    private final @Nullable String lane;
    private final Instant claimedAt;
    private final long marginNanos;
    private volatile long validUntilNanos;

    /** @param claimedAt by the database's clock */
    Lease(TargetId id, long token, @Nullable String lane, Instant claimedAt, long startNanos, long leaseMs) {
        this.id = id;
        this.token = token;
        this.lane = lane;
        this.claimedAt = claimedAt;
        this.marginNanos = TimeUnit.MILLISECONDS.toNanos(leaseMs) / MARGIN_DIVISOR;
        this.validUntilNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(leaseMs);
    }

    public TargetId id() {
        return id;
    }

    public long token() {
        return token;
    }

    @Nullable
    String lane() {
        return lane;
    }

    public Instant claimedAt() {
        return claimedAt;
    }

    void extend(long untilNanos) {
        validUntilNanos = untilNanos;
    }

    @Override
    public boolean maySend() {
        return maySendAt(System.nanoTime());
    }

    boolean maySendAt(long nanos) {
        return validUntilNanos - nanos > marginNanos;
    }
}
