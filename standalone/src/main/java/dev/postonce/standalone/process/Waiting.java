package dev.postonce.standalone.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Looks again and again; other processes tell nobody when they change. */
public final class Waiting {

    private static final Duration STEP = Duration.ofMillis(20);

    private Waiting() {}

    /** @return whether the condition came true in time */
    public static boolean until(Duration timeout, BooleanSupplier condition) {
        return until(timeout, STEP, condition);
    }

    /**
     * @param step between two looks
     * @return whether the condition came true in time
     */
    public static boolean until(Duration timeout, Duration step, BooleanSupplier condition) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(Math.min(left, step.toNanos()));
        }
        return true;
    }
}
