package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.RecordedSource.BaselineMark;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Reads the rows that were committed before the slot's beginning, by key and version, a bounded page at a time. */
public final class JdbcBaseline {

    private static final int FETCH_ROWS = 20;

    private static final String PAGE =
            """
            select seq, event_id, topic, record_key, event_type, source, subject, aggregate_version, occurred_at,
                   traceparent, data
            from %s
            where pg_visible_in_snapshot(xid, ?::pg_snapshot) and (record_key, aggregate_version, seq) > (?, ?, ?)
            order by record_key, aggregate_version, seq
            limit ?
            """;

    /** Transactions whose commit is in the log already, but which other sessions do not see yet. */
    private static final String HALF_COMMITTED =
            """
            select count(*) from pg_snapshot_xip(pg_current_snapshot()) as running(xid)
            where pg_visible_in_snapshot(running.xid, ?::pg_snapshot)
            """;

    private static final BaselineMark BEGINNING = new BaselineMark("", 0, 0);

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final int rowsMax;
    private final long bytesMax;

    public JdbcBaseline(JdbcTemplate jdbc, TransactionTemplate transaction, int rowsMax, long bytesMax) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.rowsMax = rowsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Whether each row that the snapshot counts as committed can be seen by a new statement. A commit is in the log a
     * moment before it is visible, and with a synchronous standby that moment can be long.
     */
    boolean settled(String snapshot) {
        Long count = jdbc.queryForObject(HALF_COMMITTED, Long.class, snapshot);
        return count != null && count == 0;
    }

    /** The next rows after the mark; the transaction ends before any of them is sent. */
    List<OutboxRow> page(OutboxSource source, String snapshot, @Nullable BaselineMark after) {
        BaselineMark from = after == null ? BEGINNING : after;
        return Objects.requireNonNull(transaction.execute(status -> jdbc.query(
                connection -> {
                    var statement = connection.prepareStatement(PAGE.formatted(source.table()));
                    statement.setFetchSize(FETCH_ROWS);
                    statement.setString(1, snapshot);
                    statement.setString(2, from.recordKey());
                    statement.setLong(3, from.aggregateVersion());
                    statement.setLong(4, from.seq());
                    statement.setInt(5, rowsMax);
                    return statement;
                },
                this::upToBytesMax)));
    }

    private List<OutboxRow> upToBytesMax(ResultSet rows) throws SQLException {
        List<OutboxRow> page = new ArrayList<>();
        long bytes = 0;
        while (bytes < bytesMax && rows.next()) {
            OutboxRow row = row(rows);
            bytes += row.data().length();
            page.add(row);
        }
        return page;
    }

    private static OutboxRow row(ResultSet rows) throws SQLException {
        return new OutboxRow(
                rows.getLong("seq"),
                rows.getObject("event_id", UUID.class),
                rows.getString("topic"),
                rows.getString("record_key"),
                rows.getString("event_type"),
                rows.getString("source"),
                rows.getString("subject"),
                rows.getLong("aggregate_version"),
                rows.getObject("occurred_at", OffsetDateTime.class).toInstant(),
                rows.getString("traceparent"),
                rows.getString("data"));
    }
}
