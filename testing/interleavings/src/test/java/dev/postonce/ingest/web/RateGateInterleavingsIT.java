package dev.postonce.ingest.web;

import dev.postonce.interleavings.Interleavings;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A second admits so many and no more, whoever asks at once. */
@Param(name = "second", gen = IntGen.class, conf = "1:2")
@Tag("parts")
public class RateGateInterleavingsIT {

    private final RateGate gate = new RateGate(2);

    @Operation
    public boolean admits(@Param(name = "second") int second) {
        return gate.admits(Instant.ofEpochSecond(second));
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(RateGateInterleavingsIT.class);
    }
}
