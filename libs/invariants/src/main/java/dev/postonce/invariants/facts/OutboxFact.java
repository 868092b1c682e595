package dev.postonce.invariants.facts;

import java.util.UUID;

/**
 * A committed row of an {@code outbox_event} table.
 *
 * @param data fingerprint of the data as it stands in the row
 * @param content the state's own content digest, found in the data
 */
public record OutboxFact(
        AggregateKey key, UUID eventId, long version, long occurredAtMs, Fingerprint data, Fingerprint content) {}
