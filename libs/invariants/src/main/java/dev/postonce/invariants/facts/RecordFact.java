package dev.postonce.invariants.facts;

import java.util.UUID;

/**
 * A record of a state topic.
 *
 * @param data fingerprint of the record's value
 * @param tenantId as the state inside of the value says
 * @param appendedAtMs when this copy was sent; the event itself may be older
 */
public record RecordFact(
        AggregateKey key,
        UUID eventId,
        long version,
        long occurredAtMs,
        int partition,
        long offset,
        Fingerprint data,
        String tenantId,
        long appendedAtMs) {

    public RecordFact(
            AggregateKey key,
            UUID eventId,
            long version,
            long occurredAtMs,
            int partition,
            long offset,
            Fingerprint data,
            String tenantId) {
        this(key, eventId, version, occurredAtMs, partition, offset, data, tenantId, occurredAtMs);
    }

    /** Where it stands, for a person. */
    public String place() {
        return "partition " + partition + " offset " + offset;
    }
}
