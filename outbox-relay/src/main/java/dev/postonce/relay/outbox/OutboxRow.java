package dev.postonce.relay.outbox;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A committed row of an outbox table, as it was read: nothing about it was checked yet. */
public record OutboxRow(
        long seq,
        UUID eventId,
        String topic,
        String recordKey,
        String eventType,
        String source,
        String subject,
        long aggregateVersion,
        Instant occurredAt,
        @Nullable String traceparent,
        String data) {

    /**
     * @throws IllegalArgumentException if the row is no event; it is parked then
     */
    public EventEnvelope toEnvelope() {
        return new EventEnvelope(
                eventId,
                eventType,
                source,
                subject,
                occurredAt,
                RecordKey.parse(recordKey),
                aggregateVersion,
                traceparent,
                data);
    }
}
