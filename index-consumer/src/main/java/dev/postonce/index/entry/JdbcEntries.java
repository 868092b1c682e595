package dev.postonce.index.entry;

import dev.postonce.contract.KeyState;
import dev.postonce.index.event.IndexKind;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** The tables {@code "index".entry} and {@code "index".api_key}, and what the inbox says of parked events. */
public final class JdbcEntries {

    // The sink is conditional by itself: even a writer that the gate let pass by mistake cannot take a version back.
    private static final String UPSERT_ENTRIES =
            """
            insert into "index".entry as e
              (kind, record_key, tenant_id, version, deleted, content_digest, document, occurred_at)
            select * from unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::boolean[], ?::text[], ?::text[],
              ?::timestamptz[])
            on conflict (kind, record_key) do update
            set version = excluded.version, deleted = excluded.deleted, content_digest = excluded.content_digest,
                document = excluded.document, occurred_at = excluded.occurred_at, updated_at = now()
            where e.version < excluded.version
            """;

    private static final String UPSERT_KEY =
            """
            insert into "index".api_key as k
              (tenant_id, key_id, version, deleted, client_id, secret_digest, scopes)
            values (?, ?, ?, ?, ?, ?, ?)
            on conflict (tenant_id, key_id) do update
            set version = excluded.version, deleted = excluded.deleted, client_id = excluded.client_id,
                secret_digest = excluded.secret_digest, scopes = excluded.scopes, updated_at = now()
            where k.version < excluded.version
            """;

    private static final String SELECT_PAGE =
            """
            select kind, record_key, tenant_id, version, content_digest, document, occurred_at
            from "index".entry
            where (kind, record_key) > (?, ?)
            order by kind, record_key
            limit ?
            """;

    private static final String DELETE_OLD_IDS =
            """
            delete from "index".inbox_event
            where (consumer, event_id) in (
              select consumer, event_id from "index".inbox_event
              where received_at < now() - make_interval(days => ?) and state <> 'parked'
              order by received_at
              limit ?)
            """;

    private final JdbcTemplate jdbc;

    public JdbcEntries(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Writes what is newer than what stands there; at most one row for each key. */
    void write(Collection<EntryRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        jdbc.update(
                UPSERT_ENTRIES,
                rows.stream().map(row -> row.kind().wireName()).toArray(String[]::new),
                rows.stream().map(EntryRow::recordKey).toArray(String[]::new),
                rows.stream().map(EntryRow::tenantId).toArray(String[]::new),
                rows.stream().map(EntryRow::version).toArray(Long[]::new),
                rows.stream().map(EntryRow::deleted).toArray(Boolean[]::new),
                rows.stream().map(EntryRow::contentDigest).toArray(String[]::new),
                rows.stream().map(EntryRow::document).toArray(String[]::new),
                rows.stream().map(row -> row.occurredAt().toString()).toArray(String[]::new));
    }

    void writeKeys(Collection<KeyState> keys) {
        jdbc.batchUpdate(UPSERT_KEY, keys, 100, JdbcEntries::bindKey);
    }

    private static void bindKey(PreparedStatement statement, KeyState key) throws SQLException {
        statement.setString(1, key.tenantId());
        statement.setString(2, key.keyId());
        statement.setLong(3, key.version());
        statement.setBoolean(4, key.deleted());
        statement.setString(5, key.clientId());
        statement.setString(6, key.secretDigest());
        statement.setArray(
                7, statement.getConnection().createArrayOf("text", key.scopes().toArray()));
    }

    /** The next rows in key order, tombstones too; start with two empty strings. */
    public List<EntryRow> page(String afterKind, String afterRecordKey, int limit) {
        return jdbc.query(
                SELECT_PAGE,
                (row, number) -> new EntryRow(
                        IndexKind.of(row.getString(1)).orElseThrow(),
                        row.getString(2),
                        row.getString(3),
                        row.getLong(4),
                        row.getString(5),
                        row.getString(6),
                        row.getObject(7, OffsetDateTime.class)
                                .withOffsetSameInstant(ZoneOffset.UTC)
                                .toInstant()),
                afterKind,
                afterRecordKey,
                limit);
    }

    /** Event ids are kept for a time; the watermarks, which outlive them, decide afterwards. */
    int deleteOldEventIds(int keptDays, int rowsMax) {
        return jdbc.update(DELETE_OLD_IDS, keptDays, rowsMax);
    }
}
