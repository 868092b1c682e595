package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.SandboxControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scripted misbehaviour of platforms and of the callback sink: A1 and A2 of docs/reliability/faults.md. */
@Tag("faults")
class PlatformFaultsIT {

    private static final Duration TIME = Duration.ofSeconds(6);
    private static final Duration HARMED_WITHIN = Duration.ofSeconds(60);
    private static final String EVERYTHING =
            """
            {"swallow_rate":0.15,"drop_rate":0.1,"delay_rate":0.1,"delay_ms":4500,"status_429_rate":0.1,
             "retry_after_s":1,"status_5xx_rate":0.1%s}
            """;

    /** What says 429 without saying when, and 5xx after it has acted. */
    private static final String WITHOUT_A_TIME =
            """
            {"wordpress":{"status_429_rate":0.3,"status_5xx_rate":0.3,"status_5xx_when":"after"},
             "webhook":{"status_429_rate":0.3,"status_5xx_rate":0.3}}
            """;

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final SandboxControl sandbox = new SandboxControl(cluster);

    @Test
    void a1_a2_platforms_and_a_callback_sink_that_lose_answers_are_slow_refuse_and_fail() throws Exception {
        String wordpress = EVERYTHING.formatted(",\"force_slug_suffix_rate\":0.1,\"on\":\"all\"");
        String others = EVERYTHING.formatted(",\"status_5xx_when\":\"after\"");
        String all = "{\"wordpress\":" + wordpress + ",\"webhook\":" + others + ",\"callbacks\":" + others + "}";
        List<String> names = List.of("a1-429-and-5xx-after", "a1-platforms", "a2-callbacks");
        new Experiment(cluster, "a1", seed)
                .verify(
                        names,
                        workload -> Experiment.positive("a1, 429 and 5xx", harmedBy(WITHOUT_A_TIME))
                                + Experiment.positive("a1 and a2", harmedBy(all)));
    }

    private long harmedBy(String faults) {
        long before = sandbox.harmed();
        sandbox.faults(seed, faults);
        Experiment.pause(TIME);
        Patience.until(HARMED_WITHIN, () -> sandbox.harmed() > before);
        return sandbox.harmed() - before;
    }
}
