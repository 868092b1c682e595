package dev.postonce.runtime;

import dev.postonce.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The nth hit acts, once, whichever thread it is. */
@Tag("parts")
public class FailPointInterleavingsIT {

    private final FailPointActions points = FailPointActions.parse("p=1*off->1*throw(x)->off");

    @Operation
    public boolean hit() {
        try {
            points.hit("p");
            return false;
        } catch (FailPointException e) {
            return true;
        }
    }

    @Operation
    public long count() {
        return points.counts().getOrDefault("p", 0L);
    }

    @Test
    void each_hit_is_one_step() {
        Interleavings.explore(FailPointInterleavingsIT.class);
    }
}
