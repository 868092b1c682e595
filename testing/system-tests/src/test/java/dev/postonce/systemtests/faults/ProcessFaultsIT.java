package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.ManagedProcess;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that stand still, are killed, or get too little: T2, M1 and K6 of docs/reliability/faults.md. */
@Tag("faults")
class ProcessFaultsIT {

    private static final Duration COMPLAINS_WITHIN = Duration.ofSeconds(90);

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();

    @Test
    void t2_k6_processes_that_stand_still_members_that_come_and_go_and_one_that_wakes_after_its_session()
            throws Exception {
        ServiceNode index2 = cluster.service(Instance.second(Part.INDEX));
        ServiceNode dispatcher2 = cluster.service(Instance.second(Part.DISPATCHER));
        List<String> faults = List.of("t2-stop-and-continue", "k6-rebalance-storm", "k6-zombie");
        new Experiment(cluster, "k6", seed).verify(faults, workload -> {
            index2.start();
            dispatcher2.start();
            long stopped = standStill();
            index2.awaitHealthy(Duration.ofSeconds(240));
            dispatcher2.awaitHealthy(Duration.ofSeconds(240));
            cluster.service(Part.INDEX).process().freeze();
            Experiment.pause(Duration.ofSeconds(8));
            cluster.service(Part.INDEX).process().thaw();
            index2.kill();
            Experiment.pause(Duration.ofSeconds(2));
            dispatcher2.stop();
            index2.stop();
            return 5 + stopped;
        });
    }

    /** As in long collections, while others start; returns how often one was stopped. */
    private long standStill() {
        List<ManagedProcess> processes = new ArrayList<>();
        ClusterPlan.PIPELINE.forEach(part -> processes.add(cluster.service(part).process()));
        processes.add(cluster.service(Part.SANDBOX).process());
        processes.add(cluster.brokers().node(1).process());
        for (long ms : new long[] {1500, 150}) {
            for (ManagedProcess process : processes) {
                process.freeze();
                Experiment.pause(Duration.ofMillis(ms));
                process.thaw();
            }
        }
        return 2L * processes.size();
    }

    @Test
    void m1_a_heap_too_small_and_too_few_open_files_end_a_process_and_it_goes_on_afterwards() throws Exception {
        ServiceNode dispatcher = cluster.service(Part.DISPATCHER);
        ServiceNode index = cluster.service(Part.INDEX);
        new Experiment(cluster, "m1", seed).verify(List.of("m1-heap", "m1-open-files"), workload -> {
            dispatcher.stop();
            dispatcher.jvmOptions(List.of("-Xms12m", "-Xmn4m", "-Xmx12m"));
            dispatcher.start();
            index.stop();
            index.launcher(List.of("prlimit", "--nofile=70:70"));
            index.start();
            // Either would be started again and again meanwhile.
            long hits = Experiment.positive(
                    "m1, files", index.process().awaitLogged("Too many open files", COMPLAINS_WITHIN));
            index.killAndHold();
            hits += Experiment.positive(
                    "m1, heap", dispatcher.process().awaitLogged("java.lang.OutOfMemoryError", COMPLAINS_WITHIN));
            dispatcher.killAndHold();
            dispatcher.jvmOptions(List.of());
            index.launcher(List.of());
            dispatcher.start();
            index.start();
            return hits;
        });
    }
}
