package dev.postonce.dispatch.ledger;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What this process is at: its leases, and the attempts of which a thread may still send a byte. */
public final class InFlight {

    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Lease> attempts = new ConcurrentHashMap<>();

    void begin(Lease lease) {
        leases.add(lease);
    }

    /** The lease's thread is through: whatever it wrote or did not write, it sends nothing more. */
    void end(Lease lease) {
        leases.remove(lease);
        attempts.values().removeIf(holder -> holder == lease);
    }

    /** Before the attempt's row is committed, so that no other thread can take it for a finished one. */
    void mayStillSend(UUID attempt, Lease lease) {
        attempts.put(attempt, lease);
    }

    boolean sends(UUID attempt) {
        return attempts.containsKey(attempt);
    }

    Collection<Lease> leases() {
        return List.copyOf(leases);
    }
}
