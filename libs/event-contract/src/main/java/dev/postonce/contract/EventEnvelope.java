package dev.postonce.contract;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event as CloudEvents 1.0 describes it, in the Kafka protocol binding's binary mode.
 *
 * @param id made once, when the event's row is written; the same on each redelivery, replay and redrive
 * @param type the {@code ce_type}; see {@link EventType}
 * @param source the service that wrote it, such as {@code /postonce/ingest}
 * @param subject the aggregate's id, such as {@code mall_promo_1111_kv_v2}
 * @param time when the change was accepted
 * @param recordKey {@code tenant:aggregate-id}; the Kafka record's key and the {@code ce_partitionkey}
 * @param aggregateVersion rises by one with each accepted change of the aggregate
 * @param traceparent W3C trace context of the request that caused the event
 * @param data the aggregate's whole state, as JSON text
 */
public record EventEnvelope(
        UUID id,
        String type,
        String source,
        String subject,
        Instant time,
        RecordKey recordKey,
        long aggregateVersion,
        @Nullable String traceparent,
        String data) {

    public EventEnvelope {
        if (aggregateVersion < 1) {
            throw new IllegalArgumentException("aggregate version must be positive, was " + aggregateVersion);
        }
    }
}
