package dev.postonce.index.meter;

import dev.postonce.interleavings.Interleavings;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lag that is shown belongs to one state of the path, not to the halves of two. */
@Param(name = "second", gen = IntGen.class, conf = "1:3")
@Tag("parts")
public class EventProgressInterleavingsIT {

    private final EventProgress progress = new EventProgress(() -> Instant.ofEpochSecond(100));

    @Operation
    public void taken(@Param(name = "second") int second) {
        progress.taken(Instant.ofEpochSecond(second));
    }

    @Operation
    public void applied(@Param(name = "second") int second) {
        progress.applied(Instant.ofEpochSecond(second));
    }

    @Operation
    public void backlog(@Param(name = "second") int records) {
        progress.backlog(records - 1);
    }

    @Operation
    public double lag() {
        return progress.lagSeconds();
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(EventProgressInterleavingsIT.class);
    }
}
