package dev.postonce.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Asks again and again, within a limit. */
final class Waiting {

    private static final long EVERY_MS = 100;

    private Waiting() {}

    static void until(String what, int secondsMax, BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + secondsMax + " s: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(EVERY_MS);
        }
    }
}
