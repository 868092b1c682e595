package dev.postonce.standalone.status;

import dev.postonce.standalone.infra.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the numbers under the read-only role. */
final class JdbcStackCounts {

    private static final String TARGETS =
            """
            select state, count(*) from dispatch.target group by state order by state
            """;

    private static final Map<String, String> COUNTS = counts();

    /** Of each source's outbox, what lies above the row up to which its relay has published. */
    private static final String RELAY_LAG =
            """
            select count(o.seq),
                   coalesce(extract(epoch from clock_timestamp() - min(o.occurred_at)), 0),
                   coalesce((select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint
                               from pg_replication_slots where slot_name = 'postonce_%1$s_outbox'), 0)
              from %1$s.outbox_event o
             where o.seq > coalesce((select published_seq from relay.source where source = '%1$s'), 0)
            """;

    private final Database database;

    JdbcStackCounts(Database database) {
        this.database = database;
    }

    /** Empty if the database does not answer. */
    Optional<StackCounts> read() {
        try (Connection connection = database.connect(Database.VERIFY_ROLE);
                Statement statement = connection.createStatement()) {
            Map<String, Long> counts = new LinkedHashMap<>();
            COUNTS.forEach((name, sql) -> number(statement, sql).ifPresent(count -> counts.put(name, count)));
            List<StackCounts.RelayLag> lags = new ArrayList<>();
            for (String source : List.of("ingest", "dispatch")) {
                lag(statement, source).ifPresent(lags::add);
            }
            return Optional.of(new StackCounts(counts, targets(statement), lags));
        } catch (SQLException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> counts() {
        Map<String, String> counts = new LinkedHashMap<>();
        counts.put("tasks", "select count(*) from ingest.task");
        counts.put("groups", "select count(*) from ingest.group_entry where not deleted");
        counts.put("indexed", "select count(*) from \"index\".entry where not deleted");
        counts.put(
                "outbox_rows",
                "select (select count(*) from ingest.outbox_event) + (select count(*) from dispatch.outbox_event)");
        counts.put(
                "records_parked",
                """
                select (select count(*) from ingest.parked_record where settled_at is null)
                     + (select count(*) from "index".parked_record where settled_at is null)
                     + (select count(*) from dispatch.parked_record where settled_at is null)
                """);
        counts.put("events_parked", "select count(*) from relay.parked_event where settled_at is null");
        counts.put("callbacks_pending", "select count(*) from ingest.callback where state = 'pending'");
        counts.put("callbacks_parked", "select count(*) from ingest.callback where state = 'parked'");
        return counts;
    }

    private static Map<String, Long> targets(Statement statement) {
        Map<String, Long> targets = new LinkedHashMap<>();
        try (ResultSet rows = statement.executeQuery(TARGETS)) {
            while (rows.next()) {
                targets.put(rows.getString(1), rows.getLong(2));
            }
        } catch (SQLException e) {
            return Map.of(); // the dispatcher has not made its tables yet
        }
        return targets;
    }

    private static Optional<StackCounts.RelayLag> lag(Statement statement, String source) {
        try (ResultSet rows = statement.executeQuery(RELAY_LAG.formatted(source))) {
            rows.next();
            return Optional.of(new StackCounts.RelayLag(source, rows.getLong(1), rows.getDouble(2), rows.getLong(3)));
        } catch (SQLException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> number(Statement statement, String sql) {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return Optional.of(rows.getLong(1));
        } catch (SQLException e) {
            return Optional.empty();
        }
    }
}
