package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.interleavings.Interleavings;
import java.time.Instant;
import java.util.UUID;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody may take an attempt for finished while its thread may still send. */
@Param(name = "lease", gen = IntGen.class, conf = "0:1")
@Tag("parts")
public class InFlightInterleavingsIT {

    private final InFlight inFlight = new InFlight();
    private final Lease[] leases = {lease(0), lease(1)};

    private static Lease lease(int token) {
        return new Lease(
                new TargetId("dev", "task-" + token, Platform.WORDPRESS), token, null, Instant.EPOCH, 0, 1_000);
    }

    private static UUID attempt(int lease) {
        return new UUID(0, lease);
    }

    @Operation
    public void begin(@Param(name = "lease") int lease) {
        inFlight.begin(leases[lease]);
    }

    @Operation
    public void mayStillSend(@Param(name = "lease") int lease) {
        inFlight.mayStillSend(attempt(lease), leases[lease]);
    }

    @Operation
    public boolean sends(@Param(name = "lease") int lease) {
        return inFlight.sends(attempt(lease));
    }

    @Operation
    public int leases() {
        return inFlight.leases().size();
    }

    @Operation
    public void end(@Param(name = "lease") int lease) {
        inFlight.end(leases[lease]);
    }

    @Operation
    public void endUntold(@Param(name = "lease") int lease) {
        inFlight.endUntold(leases[lease]);
    }

    @Operation
    public int untold() {
        return inFlight.untold().size();
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(InFlightInterleavingsIT.class);
    }
}
