package dev.postonce.ingest.web;

import dev.postonce.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A bucket gives as many tokens as it holds, and its first refusal of a second is told as such once. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("parts")
public class RateLimitsInterleavingsIT {

    private final RateLimits limits = new RateLimits(1, () -> 0);

    @Operation
    public String take(@Param(name = "key") int key) {
        return limits.take("key-" + key, null)
                .map(wait -> wait.firstOfSecond() ? "first refusal" : "refusal")
                .orElse("taken");
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(RateLimitsInterleavingsIT.class);
    }
}
