package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of PostgreSQL: P4 to P6 of docs/reliability/faults.md. */
@Tag("faults")
class DatabaseFaultsIT {

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);
    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final PostgresNode postgres = cluster.postgres();
    private final ServiceNode relay = cluster.service(Part.RELAY);

    @Test
    void p4_p5_p6_an_early_row_that_commits_late_is_sent_and_a_slot_without_its_log_stops_the_relay_loudly()
            throws Exception {
        List<String> faults = List.of("p4-slot-dropped", "p5-wal-recycled", "p6-long-transaction");
        new Experiment(cluster, "p5", seed).verify(faults, workload -> {
            long held = Experiment.positive("p6", longTransaction());
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
            Operator.rebaseline(cluster, "p5");
            return 2 + held;
        });
    }

    /** It holds an early row while later ones commit. */
    private long longTransaction() {
        ServiceNode ingest = cluster.service(Part.INGEST);
        long acted = sleeping(ingest);
        ingest.failPoints().arm("ingest.after-outbox-before-commit=2*sleep(5000)");
        Patience.until(NOTICED_WITHIN, () -> sleeping(ingest) > acted);
        Experiment.pause(Duration.ofSeconds(6));
        ingest.failPoints().disarm();
        return sleeping(ingest) - acted;
    }

    private void restartWith(Map<String, String> settings) {
        postgres.stop();
        postgres.settings(settings);
        postgres.start();
    }

    private static long sleeping(ServiceNode node) {
        return node.failPoints().acted("ingest.after-outbox-before-commit", "sleep");
    }

    private String status(String source) {
        return postgres.text(
                "select wal_status from pg_replication_slots where slot_name = 'postonce_" + source + "_outbox'");
    }

    private void awaitRefusal(String code) {
        assertThat(Patience.until(
                        NOTICED_WITHIN, () -> relay.health().toString().contains(code)))
                .as("the relay says " + code + ": " + relay.health())
                .isTrue();
        assertThat(relay.isHealthy()).isFalse();
    }
}
