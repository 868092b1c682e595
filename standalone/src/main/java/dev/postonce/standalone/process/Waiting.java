package dev.postonce.standalone.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Looks again and again; other processes tell nobody when they change. */
public final class Waiting {

    private static final long STEP_NANOS = 20_000_000;

    private Waiting() {}

    /** @return whether the condition came true in time */
    public static boolean until(Duration timeout, BooleanSupplier condition) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        return true;
    }
}
