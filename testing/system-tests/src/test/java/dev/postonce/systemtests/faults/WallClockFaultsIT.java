package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.FakeClock;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * T1 of docs/reliability/faults.md: each service's wall clock jumps, goes back and stands still; needs libfaketime. Rows
 * with false times stay in the database, so it comes last in a cluster's life.
 */
@Tag("faults")
class WallClockFaultsIT {

    private static final String SIGNED_AT_ANOTHER_TIME = "a callback with a bad signature: \"webhook-timestamp is ";
    private static final Duration WRONG = Duration.ofSeconds(5);
    private static final Duration FORWARD = Duration.ofHours(2);
    private static final Duration BACK = Duration.ofHours(-1);
    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(240);

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.any();

    @Test
    void t1_clocks_that_jump_go_back_and_stand_still_neither_lose_nor_double_anything() throws Exception {
        assumeTrue(FakeClock.isThere(), "libfaketime is not installed");
        List<FakeClock> clocks = new ArrayList<>();
        for (Part part : ClusterPlan.PIPELINE) {
            clocks.add(new FakeClock(cluster.service(part), cluster.home().run()));
        }
        restartAll();
        try {
            // A receiver refuses what was signed at a wrong time, as it must; the audit still asks for what came later.
            Experiment experiment = new Experiment(cluster, "t1", seed)
                    .expecting(finding ->
                            finding.rule().equals("I9") && finding.toString().contains(SIGNED_AT_ANOTHER_TIME));
            experiment.verify(List.of("t1-forward", "t1-back", "t1-frozen"), workload -> {
                long wrong = 0;
                // Neighbours differ by three hours, one way and then the other.
                for (int turn = 0; turn < 2; turn++) {
                    for (int i = 0; i < clocks.size(); i++) {
                        clocks.get(i).shift((i + turn) % 2 == 0 ? FORWARD : BACK);
                    }
                    Experiment.pause(WRONG);
                    wrong += clocks.stream().filter(FakeClock::isWrong).count();
                }
                clocks.forEach(FakeClock::freeze);
                Experiment.pause(WRONG);
                clocks.forEach(FakeClock::mend);
                assertThat(wrong).as("times that a process had another hour").isEqualTo(2L * clocks.size());
                return wrong;
            });
        } finally {
            clocks.forEach(FakeClock::remove);
        }
    }

    private void restartAll() {
        ClusterPlan.PIPELINE.forEach(part -> cluster.service(part).restart());
        for (Part part : ClusterPlan.PIPELINE) {
            ServiceNode node = cluster.service(part);
            node.awaitHealthy(HEALTHY_WITHIN);
        }
    }
}
