package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The control run: a harness that finds something where nothing was broken is broken itself. */
@Tag("faults")
class PipelineIT {

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();

    @Test
    void without_a_fault_all_is_well() throws Exception {
        new Experiment(cluster, "calm", seed).verify(List.of("none"), workload -> {
            Experiment.pause(Duration.ofSeconds(4));
            return 1;
        });
    }
}
