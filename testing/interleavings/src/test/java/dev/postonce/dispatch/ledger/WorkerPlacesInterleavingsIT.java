package dev.postonce.dispatch.ledger;

import dev.postonce.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No account gets more sends at once than it may have, and no place is lost. */
@Param(name = "lane", gen = IntGen.class, conf = "0:1")
@Tag("parts")
public class WorkerPlacesInterleavingsIT {

    private final WorkerPlaces places = new WorkerPlaces(3, 1);

    @Operation
    public boolean enter(@Param(name = "lane") int lane) {
        return places.enter("lane-" + lane);
    }

    @Operation
    public void leave(@Param(name = "lane") int lane) {
        places.leave("lane-" + lane);
    }

    @Operation
    public int places() {
        return places.free().places();
    }

    @Operation
    public int busyLanes() {
        return places.free().busyLanes().size();
    }

    @Operation
    public void wake() {
        places.wake();
    }

    @Test
    void no_interleaving_overfills_a_lane() {
        Interleavings.explore(WorkerPlacesInterleavingsIT.class);
    }
}
