package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.PostgresNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** Faults of PostgreSQL that pass by themselves: P1, P2, P8 and P9 of docs/reliability/faults.md. */
final class SessionFaults {

    static final List<String> NAMES = List.of(
            "p1-sigkill",
            "p2-terminate-backends",
            "p8-lock-timeout",
            "p8-pool-exhausted",
            "p9-read-only",
            "p9-too-many-connections",
            "p9-password");

    private static final String ALL_SESSIONS =
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where usename like 'postonce%' and pid <> pg_backend_pid() and application_name <> 'postonce-harness'
            """;
    private static final String WAITING = "select count(*) from pg_locks where not granted";
    private static final Duration SOMEBODY_WAITS_WITHIN = Duration.ofSeconds(120);
    private static final int TIMES = 8;
    private static final int TIMES_MAX = 100;
    private static final List<String> ROLES =
            List.of("postonce_ingest", "postonce_relay", "postonce_index", "postonce_dispatch");

    private final Cluster cluster;
    private final PostgresNode postgres;

    SessionFaults(Cluster cluster) {
        this.cluster = cluster;
        this.postgres = cluster.postgres();
    }

    /** One after the other; returns how many sessions and servers suffered. */
    long all() throws SQLException {
        return Experiment.positive("p2", sessionsEnded())
                + Experiment.positive("p8", locks())
                + Experiment.positive("p9", refusals())
                + Experiment.positive("p1", killed());
    }

    private long sessionsEnded() {
        long ended = 0;
        // Where services die beside it, nobody may have a session for as long as their starts take.
        for (int i = 0; i < TIMES || (ended == 0 && i < TIMES_MAX); i++) {
            ended += postgres.number("select count(*) from (" + ALL_SESSIONS + ") ended");
            Experiment.pause(Duration.ofMillis(600));
        }
        return ended;
    }

    private long locks() throws SQLException {
        try (Connection connection = postgres.connect("postgres");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table ingest.task, dispatch.target, \"index\".entry in exclusive mode");
            // Whoever would wait may be dead just now, and come back.
            boolean waited = Patience.until(SOMEBODY_WAITS_WITHIN, () -> postgres.number(WAITING) > 0);
            Experiment.pause(Duration.ofSeconds(6));
            long locked = postgres.number(WAITING);
            connection.rollback();
            return locked + (waited ? 1 : 0);
        }
    }

    private long refusals() throws SQLException {
        during(
                "alter database postonce set default_transaction_read_only = on",
                "alter database postonce reset default_transaction_read_only");
        String password = cluster.databasePassword().reveal();
        for (String role : ROLES) {
            during("alter role " + role + " connection limit 0", "alter role " + role + " connection limit -1");
            during("alter role " + role + " password 'rotated'", "alter role " + role + " password '" + password + "'");
        }
        return 1L + 2 * ROLES.size();
    }

    private long killed() {
        int starts = postgres.process().starts();
        for (int i = 0; i < 2; i++) {
            postgres.kill();
            Experiment.pause(Duration.ofSeconds(1));
            postgres.start();
            Experiment.pause(Duration.ofSeconds(3));
        }
        return postgres.process().starts() - starts;
    }

    private void during(String begin, String end) throws SQLException {
        try (Connection connection = postgres.connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(begin);
            statement.execute(ALL_SESSIONS);
            Experiment.pause(Duration.ofMillis(1300));
            statement.execute("set default_transaction_read_only = off");
            statement.execute(end);
            statement.execute(ALL_SESSIONS);
        }
    }
}
