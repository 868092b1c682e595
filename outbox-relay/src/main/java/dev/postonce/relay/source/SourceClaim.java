package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to relay one source: a session's advisory lock, on a connection that does nothing else.
 *
 * <p>The server ends the session when it hears nothing for the claim's time to live ({@code idle_session_timeout}), so
 * the claim of a process that is stopped or cut off passes on. This side asks four times in that time, and gives up at
 * the first error: between two claims there is a moment without a relay rather than one with two.
 */
final class SourceClaim implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceClaim.class);
    private static final int LOCK_SPACE = 0x706F_7374;
    private static final String LOCK = "select pg_try_advisory_lock(?, hashtext(?))";
    private static final String EPOCH =
            """
            insert into relay.source (source, epoch, owner, claimed_at) values (?, 1, ?, now())
            on conflict (source) do update
              set epoch = relay.source.epoch + 1, owner = excluded.owner, claimed_at = now()
            returning epoch
            """;

    private final OutboxSource source;
    private final Connection connection;
    private final ScheduledFuture<?> keepAlive;
    private final long epoch;
    private volatile boolean held = true;
    private volatile Runnable onLost = () -> {};

    private SourceClaim(
            OutboxSource source, Connection connection, long epoch, ScheduledExecutorService timer, Duration ttl) {
        this.source = source;
        this.connection = connection;
        this.epoch = epoch;
        long everyMs = ttl.toMillis() / 4;
        this.keepAlive = timer.scheduleWithFixedDelay(this::ask, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }

    /**
     * @return null while another relay has it
     */
    static @Nullable SourceClaim tryAcquire(
            PgConnections connections,
            OutboxSource source,
            String instance,
            Duration ttl,
            ScheduledExecutorService timer)
            throws SQLException {
        Duration answerWithin = Duration.ofSeconds(Math.max(1, ttl.toSeconds() / 2));
        Connection connection = connections.open("postonce-relay-claim-" + source.name(), answerWithin);
        try {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set idle_session_timeout = " + ttl.toMillis());
            }
            if (!lock(connection, source)) {
                connection.close();
                return null;
            }
            return new SourceClaim(source, connection, nextEpoch(connection, source, instance), timer, ttl);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    long epoch() {
        return epoch;
    }

    boolean held() {
        return held;
    }

    /** What stops the publishing at once; called at most once, from another thread. */
    void onLost(Runnable action) {
        onLost = action;
        if (!held) {
            action.run();
        }
    }

    @Override
    public void close() {
        held = false;
        keepAlive.cancel(false);
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("claim of {}: its session was gone already", source.name(), e);
        }
    }

    private void ask() {
        if (!held) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException e) {
            if (held) {
                held = false;
                LOG.warn(
                        "claim of source {} lost ({}): publishing stops, another relay may take it",
                        source.name(),
                        e.getMessage());
                onLost.run();
            }
        }
    }

    private static boolean lock(Connection connection, OutboxSource source) throws SQLException {
        try (var statement = connection.prepareStatement(LOCK)) {
            statement.setInt(1, LOCK_SPACE);
            statement.setString(2, source.name());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    private static long nextEpoch(Connection connection, OutboxSource source, String instance) throws SQLException {
        try (var statement = connection.prepareStatement(EPOCH)) {
            statement.setString(1, source.name());
            statement.setString(2, instance);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("no epoch for source " + source.name());
                }
                return row.getLong(1);
            }
        }
    }
}
