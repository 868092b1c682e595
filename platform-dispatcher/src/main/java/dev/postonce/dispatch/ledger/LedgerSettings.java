package dev.postonce.dispatch.ledger;

import java.time.Duration;

/**
 * @param lease how long a claim holds without a heartbeat
 * @param heartbeat between two signs of life, each of which renews the leases
 * @param stale silence after which an instance no longer counts as alive
 * @param pause between two look-ups, where nothing says when
 * @param reask between two look-ups of what waits for a person
 * @param inDoubtMax after which an attempt that cannot be settled is shown to a person
 */
public record LedgerSettings(
        Duration lease, Duration heartbeat, Duration stale, Duration pause, Duration reask, Duration inDoubtMax) {

    public LedgerSettings {
        if (heartbeat.multipliedBy(3).compareTo(lease) > 0) {
            throw new IllegalArgumentException("the lease (" + lease + ") must last at least three heartbeats ("
                    + heartbeat + "); raise POSTONCE_DISPATCH_LEASE_MS or lower POSTONCE_DISPATCH_HEARTBEAT_MS");
        }
    }
}
