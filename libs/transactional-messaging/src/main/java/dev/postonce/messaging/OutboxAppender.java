package dev.postonce.messaging;

import dev.postonce.contract.EventEnvelope;
import java.sql.PreparedStatement;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Writes events into a service's outbox table, in the caller's transaction; the relay publishes them. */
public final class OutboxAppender {

    private final JdbcTemplate jdbc;
    private final String insert;

    /**
     * @param schema the service's schema; it must hold a table {@code outbox_event} as docs/architecture.md gives it
     */
    public OutboxAppender(JdbcTemplate jdbc, String schema) {
        this.jdbc = jdbc;
        this.insert =
                """
                insert into %s.outbox_event
                  (event_id, topic, record_key, event_type, source, subject, aggregate_version, occurred_at,
                   traceparent, data)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
                        .formatted(Identifiers.checked(schema));
    }

    /** Appends in the given order, in one batch. */
    public void append(String topic, List<EventEnvelope> events) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "an event outside of a transaction could be told of a change that never was");
        }
        jdbc.batchUpdate(insert, events, 200, (statement, event) -> bind(statement, topic, event));
    }

    private static void bind(PreparedStatement statement, String topic, EventEnvelope event)
            throws java.sql.SQLException {
        statement.setObject(1, event.id());
        statement.setString(2, topic);
        statement.setString(3, event.recordKey().toString());
        statement.setString(4, event.type());
        statement.setString(5, event.source());
        statement.setString(6, event.subject());
        statement.setLong(7, event.aggregateVersion());
        statement.setObject(8, event.time().atOffset(ZoneOffset.UTC));
        statement.setString(9, event.traceparent());
        statement.setString(10, event.data());
    }
}
