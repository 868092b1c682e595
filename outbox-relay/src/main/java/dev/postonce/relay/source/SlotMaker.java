package dev.postonce.relay.source;

import dev.postonce.relay.outbox.Lsn;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.runtime.FailPoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a replication slot, and a snapshot that divides the table exactly there: a row is either visible in the
 * snapshot or in the slot's stream, never in neither.
 */
final class SlotMaker {

    private static final Logger LOG = LoggerFactory.getLogger(SlotMaker.class);

    /** A slot waits for every transaction that was open when it was asked for; for longer ones in a new try. */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final PgConnections connections;
    private volatile @Nullable Statement waiting;

    SlotMaker(PgConnections connections) {
        this.connections = connections;
    }

    /**
     * @param consistentLsn the stream holds every commit from here on
     * @param snapshot as {@code pg_snapshot} text: every commit before that place
     */
    record Made(long consistentLsn, String snapshot) {}

    /** Drops a slot of that name first: what it would still have given is read from the table. */
    Made make(OutboxSource source) throws SQLException {
        String name = "postonce-relay-slot-" + source.name();
        try (Connection connection = connections.open(name, ANSWER_WITHIN);
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                    + " where slot_name = '" + source.slot() + "'");
        }
        FailPoint.hit("relay.after-slot-drop-before-slot");
        // The exported snapshot lives until the replication connection is used again or closed.
        try (Connection replication = connections.openReplication(name, LOCK_TIMEOUT);
                Statement statement = replication.createStatement()) {
            waiting = statement;
            try (ResultSet slot = statement.executeQuery(
                    "CREATE_REPLICATION_SLOT " + source.slot() + " LOGICAL pgoutput EXPORT_SNAPSHOT")) {
                if (!slot.next()) {
                    throw new SQLException("CREATE_REPLICATION_SLOT gave no row");
                }
                return new Made(Lsn.parse(slot.getString("consistent_point")), asText(slot.getString("snapshot_name")));
            } finally {
                waiting = null;
            }
        }
    }

    /** Ends the waiting for other transactions; {@link #make} then throws. */
    void cancel() {
        Statement statement = waiting;
        if (statement != null) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                LOG.debug("nothing to cancel any more", e);
            }
        }
    }

    /** The name of an exported snapshot dies with its session; its text can be stored and asked for ever after. */
    private String asText(String snapshotName) throws SQLException {
        if (!snapshotName.matches("[0-9A-F-]{1,64}")) {
            throw new SQLException("not a snapshot name: " + snapshotName);
        }
        try (Connection connection = connections.open("postonce-relay-snapshot", ANSWER_WITHIN);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set transaction isolation level repeatable read read only");
            statement.execute("set transaction snapshot '" + snapshotName + "'");
            try (ResultSet row = statement.executeQuery("select pg_current_snapshot()::text")) {
                if (!row.next()) {
                    throw new SQLException("no snapshot");
                }
                String text = row.getString(1);
                connection.rollback();
                return text;
            }
        }
    }
}
