package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.TargetFact;
import dev.postonce.invariants.facts.TargetKey;
import dev.postonce.invariants.facts.TaskFact;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads all rows in one snapshot, a page at a time. Bodies never leave the database; their digests do. */
final class JdbcFacts {

    static final String ENTRY_TABLE = "index.entry";

    private static final String TASKS =
            """
            select tenant_id, external_id, task_id, version, deleted, site, slug, content_digest
            from ingest.task
            where starts_with(external_id, ?)
            """;

    private static final String GROUPS =
            """
            select tenant_id, operation, normalized_group_id, id, version, deleted, content_digest
            from ingest.group_entry
            where starts_with(operation || '/' || normalized_group_id, ?)
            """;

    private static final String TARGETS =
            """
            select tenant_id, external_id, platform, state, dispatch_version, observed_at, updated_at
            from ingest.target
            where starts_with(external_id, ?)
            """;

    private static final String INGEST_EVENTS =
            """
            select topic, record_key, event_id, aggregate_version, occurred_at,
                   encode(sha256(convert_to(data, 'UTF8')), 'hex') as data_digest,
                   substring(data from '"content_digest":"([0-9a-f]{64})"') as content_digest
            from ingest.outbox_event
            where starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String DISPATCH_EVENTS =
            """
            select topic, record_key, event_id, aggregate_version, occurred_at,
                   encode(sha256(convert_to(data, 'UTF8')), 'hex') as data_digest,
                   substring(data from '"content_digest":"([0-9a-f]{64})"') as content_digest
            from dispatch.outbox_event
            where starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String RELAY_PARKED =
            """
            select topic, record_key, event_id::text, aggregate_version::text, reason_code
            from relay.parked_event
            where settled_how is distinct from 'released'
              and starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String INDEX_PARKED =
            """
            select topic, record_key, event_id, substring(headers from 'ce_aggregateversion=([0-9]{1,18})'), reason_code
            from "index".parked_record
            where (settled_at is null or settled_how = 'given_up') and record_key is not null
              and starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String DISPATCH_PARKED =
            """
            select topic, record_key, event_id, substring(headers from 'ce_aggregateversion=([0-9]{1,18})'), reason_code
            from dispatch.parked_record
            where (settled_at is null or settled_how = 'given_up') and record_key is not null
              and starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String INGEST_PARKED =
            """
            select topic, record_key, event_id, substring(headers from 'ce_aggregateversion=([0-9]{1,18})'), reason_code
            from ingest.parked_record
            where (settled_at is null or settled_how = 'given_up') and record_key is not null
              and starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String ENTRIES =
            """
            select kind, record_key, tenant_id, version, deleted, content_digest
            from "index".entry
            where starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)
            """;

    private static final String DISPATCH_TARGETS =
            """
            select tenant_id, external_id, platform, account, version, shown_task_version, state, platform_post_id,
                   observed_at, updated_at
            from dispatch.target
            where starts_with(external_id, ?)
            """;

    private static final String ATTEMPTS =
            """
            select tenant_id, external_id, platform, attempt_id, task_version, started_at, settled_as, account,
                   request_digest, platform_key is not null, resend_of, settled_at
            from dispatch.attempt
            where starts_with(external_id, ?)
            """;

    private static final int ROWS_A_PAGE = 1_000;

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final KeyFilter filter;
    private final FactSink sink;

    private JdbcFacts(Connection connection, KeyFilter filter, FactSink sink) {
        this.connection = connection;
        this.filter = filter;
        this.sink = sink;
    }

    /** @param connection in a transaction that sees one snapshot, of the role that may only read */
    static void read(Connection connection, KeyFilter filter, FactSink sink) throws SQLException {
        new JdbcFacts(connection, filter, sink).readAll();
    }

    private void readAll() throws SQLException {
        each(TASKS, this::task);
        each(GROUPS, this::group);
        each(TARGETS, this::target);
        each(INGEST_EVENTS, this::event);
        each(DISPATCH_EVENTS, this::event);
        each(ENTRIES, this::entry);
        each(DISPATCH_TARGETS, this::dispatchTarget);
        each(ATTEMPTS, this::attempt);
        each(RELAY_PARKED, row -> parked(row, ParkedFact.By.RELAY));
        each(INDEX_PARKED, row -> parked(row, ParkedFact.By.INDEX));
        each(DISPATCH_PARKED, row -> parked(row, ParkedFact.By.DISPATCH));
        each(INGEST_PARKED, row -> parked(row, ParkedFact.By.INGEST));
        readTrails();
    }

    private void readTrails() throws SQLException {
        each(JdbcTrailFacts.WANTED, row -> JdbcTrailFacts.wanted(row, sink));
        each(JdbcTrailFacts.AUDIT_OF_TASKS, row -> JdbcTrailFacts.audit(AggregateKey.Kind.TASK, row, sink));
        each(JdbcTrailFacts.AUDIT_OF_GROUPS, row -> JdbcTrailFacts.audit(AggregateKey.Kind.GROUP, row, sink));
        each(JdbcTrailFacts.ANSWERS, row -> JdbcTrailFacts.answer(row, sink));
        each(JdbcTrailFacts.CALLBACKS, row -> JdbcTrailFacts.callback(row, sink));
        each(JdbcTrailFacts.TRANSITIONS, row -> JdbcTrailFacts.transition(row, sink));
        each(JdbcTrailFacts.KEPT_BY_INDEX, row -> JdbcTrailFacts.kept(ParkedFact.By.INDEX, row, sink));
        each(JdbcTrailFacts.KEPT_BY_DISPATCH, row -> JdbcTrailFacts.kept(ParkedFact.By.DISPATCH, row, sink));
        each(JdbcTrailFacts.KEPT_BY_INGEST, row -> JdbcTrailFacts.kept(ParkedFact.By.INGEST, row, sink));
    }

    private void each(String sql, RowReader reader) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(ROWS_A_PAGE);
            statement.setString(1, filter.prefix());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    private void task(ResultSet row) throws SQLException {
        sink.task(new TaskFact(
                row.getString(1),
                row.getString(2),
                row.getObject(3, UUID.class),
                row.getLong(4),
                row.getBoolean(5),
                row.getString(6),
                row.getString(7),
                Fingerprint.ofHex(row.getString(8))));
    }

    private void group(ResultSet row) throws SQLException {
        sink.group(new GroupFact(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getObject(4, UUID.class),
                row.getLong(5),
                row.getBoolean(6),
                Fingerprint.ofHex(row.getString(7))));
    }

    private void target(ResultSet row) throws SQLException {
        sink.target(new TargetFact(
                targetKey(row), row.getString(4), longOrNull(row, 5), millisOrNull(row, 6), millis(row, 7)));
    }

    private void event(ResultSet row) throws SQLException {
        String content = row.getString(7);
        Fingerprint data = Fingerprint.ofHex(row.getString(6));
        sink.outbox(new OutboxFact(
                aggregate(row),
                row.getObject(3, UUID.class),
                row.getLong(4),
                millis(row, 5),
                data,
                content == null ? data : Fingerprint.ofHex(content)));
    }

    private void entry(ResultSet row) throws SQLException {
        AggregateKey.Kind kind = row.getString(1).equals("group") ? AggregateKey.Kind.GROUP : AggregateKey.Kind.TASK;
        sink.entry(new EntryFact(
                new AggregateKey(kind, row.getString(2)),
                ENTRY_TABLE,
                row.getString(3),
                row.getLong(4),
                row.getBoolean(5),
                Fingerprint.ofHex(row.getString(6))));
    }

    private void dispatchTarget(ResultSet row) throws SQLException {
        sink.dispatchTarget(new DispatchTargetFact(
                targetKey(row),
                row.getString(4),
                row.getLong(5),
                longOrNull(row, 6),
                row.getString(7),
                row.getString(8),
                millisOrNull(row, 9),
                millis(row, 10)));
    }

    private void attempt(ResultSet row) throws SQLException {
        sink.attempt(new AttemptFact(
                targetKey(row),
                row.getObject(4, UUID.class),
                row.getLong(5),
                millis(row, 6),
                row.getString(7),
                new AttemptFact.Sent(
                        row.getString(8),
                        Fingerprint.ofHex(row.getString(9)),
                        row.getBoolean(10),
                        row.getObject(11, UUID.class),
                        millisOrNull(row, 12))));
    }

    private void parked(ResultSet row, ParkedFact.By by) throws SQLException {
        String version = row.getString(4);
        sink.parked(new ParkedFact(
                aggregate(row),
                by,
                uuidOrNull(row.getString(3)),
                version == null ? null : Long.valueOf(version),
                row.getString(5)));
    }

    private static AggregateKey aggregate(ResultSet row) throws SQLException {
        return new AggregateKey(AggregateKinds.ofTopic(row.getString(1)), row.getString(2));
    }

    private static TargetKey targetKey(ResultSet row) throws SQLException {
        return new TargetKey(row.getString(1), row.getString(2), row.getString(3));
    }

    private static @Nullable UUID uuidOrNull(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            // A parked record may be parked for that very reason.
            return null;
        }
    }

    private static @Nullable Long longOrNull(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Long millisOrNull(ResultSet row, int column) throws SQLException {
        OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
        return at == null ? null : at.toInstant().toEpochMilli();
    }

    private static long millis(ResultSet row, int column) throws SQLException {
        Long at = millisOrNull(row, column);
        return at == null ? 0 : at;
    }
}
