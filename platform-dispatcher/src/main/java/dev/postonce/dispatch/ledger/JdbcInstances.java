package dev.postonce.dispatch.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The dispatchers that share the ledger. A row says that its process may be sending, until it ends its row itself,
 * or another on the same host has seen that it is gone.
 */
public final class JdbcInstances implements Senders {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcInstances.class);

    private static final String REGISTER =
            """
            insert into dispatch.instance (instance_id, name, host_identity, pid, process_start)
            values (?, ?, ?, ?, ?)
            """;

    private static final String HEARTBEAT =
            "update dispatch.instance set heartbeat_at = clock_timestamp() where instance_id = ?";

    private static final String END =
            """
            update dispatch.instance set ended_at = clock_timestamp(), ended_how = ?
            where instance_id = ? and ended_at is null
            """;

    private static final String NEIGHBOURS =
            """
            select instance_id, host_identity, pid, process_start from dispatch.instance
            where ended_at is null and host_identity = ? and instance_id <> ?
            order by started_at limit 1000
            """;

    private static final String FATE =
            """
            select ended_at, host_identity, pid, process_start, clock_timestamp() as db_now,
              heartbeat_at > clock_timestamp() - ? * interval '1 millisecond' as alive
            from dispatch.instance where instance_id = ?
            """;

    private static final String THROUGH =
            """
            update dispatch.attempt set sender_done_at = clock_timestamp()
            where attempt_id = any (?::uuid[]) and owner = ? and sender_done_at is null
            """;

    private final JdbcTemplate jdbc;
    private final ProcessIdentity self;
    private final UUID id;
    private final String name;

    public JdbcInstances(JdbcTemplate jdbc, ProcessIdentity self, UUID id, String name) {
        this.jdbc = jdbc;
        this.self = self;
        this.id = id;
        this.name = name;
    }

    @Override
    public UUID id() {
        return id;
    }

    public void register() {
        jdbc.update(REGISTER, id, name, self.hostIdentity(), self.pid(), self.start());
    }

    public void heartbeat() {
        jdbc.update(HEARTBEAT, id);
    }

    /**
     * This instance sends nothing more for these attempts. Without that word a sender that lives, and could not write
     * what came of its request, would keep everyone else from proving that there is no post.
     */
    public void through(Collection<UUID> attempts) {
        if (!attempts.isEmpty()) {
            jdbc.update(THROUGH, attempts.stream().map(UUID::toString).toArray(String[]::new), id);
        }
    }

    /** Only when no thread of this instance sends any more. */
    public void end() {
        jdbc.update(END, "stopped", id);
    }

    /** Ends the rows of this host's processes that are gone, and names them. */
    public List<UUID> endTheDead() {
        List<UUID> dead = new ArrayList<>();
        jdbc.query(
                NEIGHBOURS,
                row -> {
                    ProcessIdentity process = new ProcessIdentity(
                            row.getString("host_identity"), row.getLong("pid"), row.getString("process_start"));
                    if (process.isCertainlyGone(self)) {
                        dead.add(row.getObject("instance_id", UUID.class));
                    }
                },
                self.hostIdentity(),
                id);
        for (UUID gone : dead) {
            if (jdbc.update(END, "process_gone", gone) == 1) {
                LOG.warn(
                        "dispatcher instance {} is gone without having ended itself; its targets are taken over", gone);
            }
        }
        return dead;
    }

    @Override
    public Fate fateOf(UUID owner, Duration stale) {
        List<Fate> found = jdbc.query(
                FATE,
                (row, number) -> {
                    OffsetDateTime ended = row.getObject("ended_at", OffsetDateTime.class);
                    if (ended != null) {
                        return new Fate(ended.toInstant(), false);
                    }
                    ProcessIdentity process = new ProcessIdentity(
                            row.getString("host_identity"), row.getLong("pid"), row.getString("process_start"));
                    boolean gone = process.isCertainlyGone(self);
                    Instant now = row.getObject("db_now", OffsetDateTime.class).toInstant();
                    return new Fate(gone ? now : null, !gone && row.getBoolean("alive"));
                },
                stale.toMillis(),
                owner);
        return found.isEmpty() ? new Fate(null, false) : found.get(0);
    }
}
