package dev.postonce.systemtests.harness;

import dev.postonce.standalone.process.Waiting;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Looks a few times a second. Who asks more often is a load of its own, and most of all for what is just coming up. */
public final class Patience {

    private static final Duration STEP = Duration.ofMillis(200);

    private Patience() {}

    /** @return whether the condition came true in time */
    public static boolean until(Duration timeout, BooleanSupplier condition) {
        return Waiting.until(timeout, STEP, condition);
    }
}
