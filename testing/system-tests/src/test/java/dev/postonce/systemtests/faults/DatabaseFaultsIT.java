package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.process.Waiting;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.harness.ServiceNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of PostgreSQL: P1, P2, P4 to P6, P8 and P9 of docs/reliability/faults.md. */
@Tag("faults")
class DatabaseFaultsIT {

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);
    private static final String ALL_SESSIONS =
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where usename like 'postonce%' and pid <> pg_backend_pid() and application_name <> 'postonce-harness'
            """;
    private static final List<String> ROLES =
            List.of("postonce_ingest", "postonce_relay", "postonce_index", "postonce_dispatch");

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final PostgresNode postgres = cluster.postgres();
    private final ServiceNode relay = cluster.service(Part.RELAY);

    @Test
    void p1_the_server_is_killed_and_comes_back() throws Exception {
        new Experiment(cluster, "p1", seed).verify(List.of("p1-sigkill"), workload -> {
            int starts = postgres.process().starts();
            for (int i = 0; i < 2; i++) {
                postgres.kill();
                Experiment.pause(Duration.ofSeconds(1));
                postgres.start();
                Experiment.pause(Duration.ofSeconds(3));
            }
            return postgres.process().starts() - starts;
        });
    }

    @Test
    void p2_p6_p8_p9_sessions_that_end_wait_or_are_refused() throws Exception {
        List<String> faults = List.of(
                "p2-terminate-backends",
                "p6-long-transaction",
                "p8-lock-timeout",
                "p8-pool-exhausted",
                "p9-read-only",
                "p9-too-many-connections",
                "p9-password");
        new Experiment(cluster, "p2", seed)
                .verify(
                        faults,
                        workload -> Experiment.positive("p2", sessionsEnded())
                                + Experiment.positive("p6", longTransaction())
                                + Experiment.positive("p8", locks())
                                + Experiment.positive("p9", refusals()));
    }

    @Test
    void p4_p5_a_slot_that_is_gone_or_lost_its_log_stops_the_relay_loudly_and_a_rebaseline_mends_it() throws Exception {
        new Experiment(cluster, "p5", seed).verify(List.of("p4-slot-dropped", "p5-wal-recycled"), workload -> {
            relay.stop();
            restartWith(Map.of("max_slot_wal_keep_size", "16MB"));
            postgres.execute(
                    "select pg_drop_replication_slot('postonce_dispatch_outbox')",
                    "create table if not exists public.ballast (v text)");
            for (int i = 0; i < 8 && !status("ingest").equals("lost"); i++) {
                postgres.execute(
                        "insert into public.ballast select repeat('x', 900) from generate_series(1, 20000)",
                        "select pg_switch_wal()",
                        "checkpoint");
            }
            assertThat(status("ingest")).isEqualTo("lost");
            postgres.execute("drop table public.ballast");
            restartWith(Map.of());
            relay.start();
            awaitRefusal("slot_lost");
            awaitRefusal("slot_missing");
            rebaseline("ingest@p5,dispatch@p5");
            return 2;
        });
    }

    private long sessionsEnded() {
        long ended = 0;
        for (int i = 0; i < 8; i++) {
            ended += postgres.number("select count(*) from (" + ALL_SESSIONS + ") ended");
            Experiment.pause(Duration.ofMillis(600));
        }
        return ended;
    }

    /** It holds an early row while later ones commit. */
    private long longTransaction() {
        ServiceNode ingest = cluster.service(Part.INGEST);
        long acted = sleeping(ingest);
        ingest.failPoints().arm("ingest.after-outbox-before-commit=2*sleep(5000)");
        Waiting.until(NOTICED_WITHIN, () -> sleeping(ingest) > acted);
        Experiment.pause(Duration.ofSeconds(6));
        ingest.failPoints().disarm();
        return sleeping(ingest) - acted;
    }

    private long locks() throws SQLException {
        try (Connection connection = postgres.connect("postgres");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table ingest.task, dispatch.target, \"index\".entry in exclusive mode");
            Experiment.pause(Duration.ofSeconds(6));
            long locked = postgres.number("select count(*) from pg_locks where not granted");
            connection.rollback();
            return locked;
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

    private void restartWith(Map<String, String> settings) {
        postgres.stop();
        postgres.settings(settings);
        postgres.start();
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

    private static long sleeping(ServiceNode node) {
        return node.failPoints().acted("ingest.after-outbox-before-commit", "sleep");
    }

    private String status(String source) {
        return postgres.text(
                "select wal_status from pg_replication_slots where slot_name = 'postonce_" + source + "_outbox'");
    }

    private void awaitRefusal(String code) {
        assertThat(Waiting.until(NOTICED_WITHIN, () -> relay.health().toString().contains(code)))
                .as("the relay says " + code + ": " + relay.health())
                .isTrue();
        assertThat(relay.isHealthy()).isFalse();
    }

    private void rebaseline(String request) {
        relay.environment("POSTONCE_RELAY_REBASELINE", request);
        relay.restart();
        relay.awaitHealthy(NOTICED_WITHIN);
    }
}
