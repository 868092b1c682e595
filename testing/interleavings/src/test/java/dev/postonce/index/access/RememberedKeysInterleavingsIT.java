package dev.postonce.index.access;

import dev.postonce.interleavings.Interleavings;
import dev.postonce.runtime.Belief;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What was asked for earlier never replaces what was asked for later. */
@Param(name = "time", gen = IntGen.class, conf = "1:3")
@Tag("parts")
public class RememberedKeysInterleavingsIT {

    private final RememberedKeys keys = new RememberedKeys();

    @Operation
    public void put(@Param(name = "time") int second) {
        Instant asked = Instant.ofEpochSecond(second);
        keys.put("key", List.of(), Belief.of(asked, Duration.ofSeconds(2)), asked);
    }

    @Operation
    public boolean known(@Param(name = "time") int now) {
        return keys.get("key", Instant.ofEpochSecond(now)) != null;
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(RememberedKeysInterleavingsIT.class);
    }
}
