package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.SandboxControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripted misbehaviour of platforms and of the callback sink: A1 and A2 of docs/reliability/faults.md. */
@Tag("faults")
class PlatformFaultsIT {

    private static final Duration TIME = Duration.ofSeconds(6);
    private static final String EVERYTHING =
            """
            {"swallow_rate":0.15,"drop_rate":0.1,"delay_rate":0.1,"delay_ms":4500,"status_429_rate":0.1,
             "retry_after_s":1,"status_5xx_rate":0.1%s}
            """;

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final SandboxControl sandbox = new SandboxControl(cluster);

    @Test
    void a1_a2_platforms_and_a_callback_sink_that_lose_answers_are_slow_refuse_and_fail() throws Exception {
        String wordpress = EVERYTHING.formatted(",\"force_slug_suffix_rate\":0.1,\"on\":\"all\"");
        String others = EVERYTHING.formatted(",\"status_5xx_when\":\"after\"");
        experiment(
                "a1",
                List.of("a1-platforms", "a2-callbacks"),
                "{\"wordpress\":" + wordpress + ",\"webhook\":" + others + ",\"callbacks\":" + others + "}");
    }

    @Test
    void a1_platforms_that_say_429_without_a_time_and_5xx_after_acting() throws Exception {
        experiment(
                "a1b",
                List.of("a1-429-and-5xx-after"),
                """
                {"wordpress":{"status_429_rate":0.3,"status_5xx_rate":0.3,"status_5xx_when":"after"},
                 "webhook":{"status_429_rate":0.3,"status_5xx_rate":0.3}}
                """);
    }

    private void experiment(String run, List<String> names, String faults) throws Exception {
        new Experiment(cluster, run, seed).verify(names, workload -> {
            long before = sandbox.harmed();
            sandbox.faults(seed, faults);
            Experiment.pause(TIME);
            return sandbox.harmed() - before;
        });
    }
}
