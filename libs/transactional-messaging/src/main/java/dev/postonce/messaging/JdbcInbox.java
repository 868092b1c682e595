package dev.postonce.messaging;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.messaging.GateDecision.Watermark;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A consumer's memory: which event ids it has seen, and the newest version that it applied for each key. Tables
 * {@code inbox_event} and {@code watermark} of the service's schema; see docs/architecture.md.
 *
 * <p>Safe for several instances: watermarks move by compare-and-set, so a consumer that was paused and lost its
 * partition cannot take one back.
 */
public final class JdbcInbox {

    private final JdbcTemplate jdbc;
    private final String consumer;
    private final String selectSeen;
    private final String selectWatermarks;
    private final String insertSeen;
    private final String upsertWatermark;
    private final String insertParked;

    public JdbcInbox(JdbcTemplate jdbc, String schema, String consumer) {
        String table = Identifiers.checked(schema);
        this.jdbc = jdbc;
        this.consumer = consumer;
        this.selectSeen =
                """
                select event_id from %s.inbox_event
                where consumer = ? and event_id = any (?) and state in ('applied', 'superseded')
                """
                        .formatted(table);
        this.selectWatermarks =
                """
                select record_key, aggregate_version, content_digest from %s.watermark
                where consumer = ? and record_key = any (?)
                order by record_key for update
                """
                        .formatted(table);
        this.insertSeen =
                """
                insert into %s.inbox_event (consumer, event_id, record_key, aggregate_version, state)
                select ?, * from unnest(?::uuid[], ?::text[], ?::bigint[], ?::text[])
                on conflict (consumer, event_id) do update set state = excluded.state
                where inbox_event.state = 'parked'
                """
                        .formatted(table);
        this.upsertWatermark =
                """
                insert into %1$s.watermark as w (consumer, record_key, aggregate_version, content_digest)
                select ?, * from unnest(?::text[], ?::bigint[], ?::text[])
                on conflict (consumer, record_key) do update
                set aggregate_version = excluded.aggregate_version, content_digest = excluded.content_digest,
                    updated_at = now()
                where w.aggregate_version < excluded.aggregate_version
                """
                        .formatted(table);
        this.insertParked =
                """
                insert into %s.inbox_event (consumer, event_id, record_key, aggregate_version, state)
                values (?, ?, ?, ?, 'parked')
                on conflict (consumer, event_id) do nothing
                """
                        .formatted(table);
    }

    /**
     * Decides on a batch and records it, in the caller's transaction: the caller writes what is to be applied in
     * the same one. Four statements at most, whatever the batch's size. Of several new events of one key, all are
     * {@code APPLY}, in rising order; the last one wins.
     *
     * @return one decision for each event, in the same order; a CONFLICT is not recorded, the caller parks it
     * @throws OptimisticLockingFailureException if another instance moved a watermark at the same moment; roll
     *     back and take the batch again
     */
    public List<GateDecision> accept(List<InboxEvent> events) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("what is recorded as applied must be applied in the same transaction");
        }
        if (events.isEmpty()) {
            return List.of();
        }
        Set<UUID> seen = new HashSet<>(jdbc.queryForList(
                selectSeen,
                UUID.class,
                consumer,
                events.stream().map(event -> event.envelope().id()).toArray(UUID[]::new)));
        InboxBatch batch = InboxBatch.decide(events, seen, watermarksOf(events));
        record(batch.recorded());
        move(batch.moved());
        return batch.decisions();
    }

    /**
     * Records an event as parked, beside {@link ParkedRecords#park}. It never counts as applied: when it comes again
     * it meets the gate as if it were new.
     */
    public void recordParked(EventEnvelope event) {
        jdbc.update(insertParked, consumer, event.id(), event.recordKey().toString(), event.aggregateVersion());
    }

    private Map<String, Watermark> watermarksOf(Collection<InboxEvent> events) {
        String[] keys = events.stream().map(InboxEvent::key).distinct().toArray(String[]::new);
        Map<String, Watermark> result = new HashMap<>();
        jdbc.query(
                selectWatermarks,
                row -> {
                    result.put(row.getString(1), new Watermark(row.getLong(2), row.getString(3)));
                },
                consumer,
                keys);
        return result;
    }

    private void record(List<InboxBatch.Recorded> recorded) {
        if (recorded.isEmpty()) {
            return;
        }
        List<InboxEvent> events =
                recorded.stream().map(InboxBatch.Recorded::event).toList();
        jdbc.update(
                insertSeen,
                consumer,
                events.stream().map(event -> event.envelope().id()).toArray(UUID[]::new),
                events.stream().map(InboxEvent::key).toArray(String[]::new),
                events.stream()
                        .map(event -> event.envelope().aggregateVersion())
                        .toArray(Long[]::new),
                recorded.stream().map(InboxBatch.Recorded::state).toArray(String[]::new));
    }

    private void move(Map<String, Watermark> moved) {
        if (moved.isEmpty()) {
            return;
        }
        int rows = jdbc.update(
                upsertWatermark,
                consumer,
                moved.keySet().toArray(String[]::new),
                moved.values().stream().map(Watermark::version).toArray(Long[]::new),
                moved.values().stream().map(Watermark::contentDigest).toArray(String[]::new));
        if (rows != moved.size()) {
            throw new OptimisticLockingFailureException("another instance of " + consumer + " moved a watermark");
        }
    }
}
