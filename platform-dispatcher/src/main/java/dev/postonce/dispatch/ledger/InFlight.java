package dev.postonce.dispatch.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What this process is at: its leases, and the attempts of which a thread may still send a byte. Safe for use by several
 * threads; each call is one step.
 */
public final class InFlight {

    /** Each costs a worker a failure; more than these are told of by their process's end. */
    private static final int UNTOLD_MAX = 10_000;

    private final Set<Lease> leases = new HashSet<>();
    private final Map<UUID, Lease> attempts = new HashMap<>();
    private final Set<UUID> untold = new HashSet<>();

    synchronized void begin(Lease lease) {
        leases.add(lease);
    }

    /** The lease's thread is through: whatever it wrote or did not write, it sends nothing more. */
    synchronized void end(Lease lease) {
        leases.remove(lease);
        attempts.values().removeIf(holder -> holder == lease);
    }

    /** As {@link #end}, and the ledger does not know it yet: nothing of what came of its attempts could be written. */
    synchronized void endUntold(Lease lease) {
        attempts.forEach((attempt, holder) -> {
            if (holder == lease && untold.size() < UNTOLD_MAX) {
                untold.add(attempt);
            }
        });
        end(lease);
    }

    /** Attempts of which no thread sends a byte any more, while the ledger may still think so. */
    synchronized Set<UUID> untold() {
        return Set.copyOf(untold);
    }

    synchronized void told(Collection<UUID> done) {
        untold.removeAll(done);
    }

    /** Before the attempt's row is committed, so that no other thread can take it for a finished one. */
    synchronized void mayStillSend(UUID attempt, Lease lease) {
        attempts.put(attempt, lease);
    }

    synchronized boolean sends(UUID attempt) {
        return attempts.containsKey(attempt);
    }

    synchronized Collection<Lease> leases() {
        return List.copyOf(leases);
    }
}
