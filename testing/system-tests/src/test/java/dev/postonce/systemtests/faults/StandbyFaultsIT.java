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

/** P3 of docs/reliability/faults.md: the primary dies, and a standby that had everything takes its place. */
@Tag("faults")
class StandbyFaultsIT {

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();

    @Test
    void p3_a_promoted_synchronous_standby_is_noticed_and_nothing_is_lost() throws Exception {
        ServiceNode relay = cluster.service(Part.RELAY);
        PostgresNode primary = cluster.postgres();
        primary.settings(Map.of("synchronous_standby_names", "standby"));
        PostgresNode standby = primary.standby("standby");
        standby.start();
        cluster.awaitHealthy();
        new Experiment(cluster, "p3", seed).verify(List.of("p3-failover"), workload -> {
            assertThat(Patience.until(
                            NOTICED_WITHIN,
                            () -> primary.number("select count(*) from pg_stat_replication where sync_state = 'sync'")
                                    == 1))
                    .as("the standby follows")
                    .isTrue();
            Experiment.pause(Duration.ofSeconds(2));
            primary.kill();
            standby.execute("select pg_promote(true)");
            cluster.failOver(standby);
            assertThat(Patience.until(NOTICED_WITHIN, () -> {
                        String health = relay.health().toString();
                        return health.contains("timeline_changed") || health.contains("slot_missing");
                    }))
                    .as("the relay notices: " + relay.health())
                    .isTrue();
            relay.environment("POSTONCE_RELAY_REBASELINE", "ingest@p3,dispatch@p3");
            relay.restart();
            relay.awaitHealthy(NOTICED_WITHIN);
            return 1;
        });
    }
}
