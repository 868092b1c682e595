package dev.postonce.sandbox.fault;

import dev.postonce.interleavings.Interleavings;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** "The next two requests suffer" means two, whoever comes at once. */
@Tag("parts")
public class FaultInjectorInterleavingsIT {

    private static final FaultSettings TWO = FaultSettings.NONE.withNext(FaultKind.SWALLOW, 2);

    private final FaultInjector faults = new FaultInjector();

    public FaultInjectorInterleavingsIT() {
        faults.set(new FaultPlan(7, Map.of("wordpress", TWO)));
    }

    @Operation
    public boolean suffers() {
        return faults.decide("wordpress", new byte[] {1}, true, false) != FaultDecision.NOTHING;
    }

    @Operation
    public int left() {
        return faults.plan().of("wordpress").chance(FaultKind.SWALLOW).next();
    }

    @Test
    void each_draw_is_one_step() {
        // It digests each request, which is thousands of steps, all under one lock.
        Interleavings.explore(FaultInjectorInterleavingsIT.class, 20);
    }
}
