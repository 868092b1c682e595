package dev.postonce.relay.publish;

import dev.postonce.relay.outbox.OutboxRow;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/** {@code relay.parked_event}. */
public final class JdbcParking implements Parking {

    /** A refusal's text comes from elsewhere; more of it than this helps nobody. */
    private static final int REASON_CHARS_MAX = 2_000;

    private static final String PARK =
            """
            insert into relay.parked_event
              (source, event_id, seq, topic, record_key, event_type, event_source, subject, aggregate_version,
               occurred_at, traceparent, data, reason_code, reason)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (source, event_id) do nothing
            """;

    private static final String PARKED =
            "select event_id from relay.parked_event where source = ? and event_id = any (?)"
                    + " and settled_how is distinct from 'released'";

    private static final String ANY = "select exists (select from relay.parked_event where source = ?)";

    private static final String SUPERSEDE =
            """
            update relay.parked_event as parked
            set settled_at = now(), settled_how = 'superseded'
            from (select topic, record_key, max(aggregate_version) as version
                  from unnest(?::text[], ?::text[], ?::bigint[]) as sent(topic, record_key, aggregate_version)
                  group by topic, record_key) as newest
            where parked.source = ? and parked.settled_at is null and parked.topic = newest.topic
              and parked.record_key = newest.record_key and parked.aggregate_version < newest.version
            """;

    private final JdbcTemplate jdbc;

    public JdbcParking(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void park(String source, OutboxRow row, String reasonCode, String reason) {
        jdbc.update(PARK, statement -> {
            statement.setString(1, source);
            statement.setObject(2, row.eventId());
            statement.setLong(3, row.seq());
            statement.setString(4, row.topic());
            statement.setString(5, row.recordKey());
            statement.setString(6, row.eventType());
            statement.setString(7, row.source());
            statement.setString(8, row.subject());
            statement.setLong(9, row.aggregateVersion());
            statement.setObject(10, row.occurredAt().atOffset(ZoneOffset.UTC));
            statement.setString(11, row.traceparent());
            statement.setString(12, row.data());
            statement.setString(13, reasonCode);
            statement.setString(14, reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
        });
    }

    @Override
    public List<OutboxRow> withoutParked(String source, List<OutboxRow> rows) {
        if (none(source)) {
            return rows;
        }
        UUID[] ids = rows.stream().map(OutboxRow::eventId).toArray(UUID[]::new);
        Set<UUID> parked = new HashSet<>(jdbc.query(
                PARKED,
                statement -> {
                    statement.setString(1, source);
                    statement.setArray(2, statement.getConnection().createArrayOf("uuid", ids));
                },
                (row, number) -> row.getObject(1, UUID.class)));
        return rows.stream().filter(row -> !parked.contains(row.eventId())).toList();
    }

    @Override
    public void supersede(String source, List<OutboxRow> acknowledged) {
        if (none(source)) {
            return;
        }
        Object[] topics = acknowledged.stream().map(OutboxRow::topic).toArray();
        Object[] keys = acknowledged.stream().map(OutboxRow::recordKey).toArray();
        Object[] versions =
                acknowledged.stream().map(OutboxRow::aggregateVersion).toArray();
        jdbc.update(SUPERSEDE, statement -> {
            var connection = statement.getConnection();
            statement.setArray(1, connection.createArrayOf("text", topics));
            statement.setArray(2, connection.createArrayOf("text", keys));
            statement.setArray(3, connection.createArrayOf("bigint", versions));
            statement.setString(4, source);
        });
    }

    private boolean none(String source) {
        return !Boolean.TRUE.equals(jdbc.queryForObject(ANY, Boolean.class, source));
    }
}
