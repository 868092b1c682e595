package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.systemtests.audit.Audit;
import dev.postonce.systemtests.audit.Finding;
import dev.postonce.systemtests.audit.Ledger;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.SandboxControl;
import dev.postonce.systemtests.workload.Workload;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code mvn verify -Psoak -Dminutes=N -Dseed=S}: rounds of random faults under load, each followed by an audit of
 * everything that was ever accepted. The repository's ledger gets one line. The first finding ends it, and the cluster's
 * logs stay in target/clusters.
 */
@Tag("soak")
class SoakIT {

    private static final Duration ROUND = Duration.ofSeconds(75);
    private static final int CLIENTS = 3;
    private static final long PAUSE_MS = 50;

    private final long minutes = Long.getLong("postonce.soak.minutes", 10);
    private final long seed = seed();
    private final List<Finding> findings = new ArrayList<>();
    private long operations;
    private long accepted;
    private double quietMax;

    private static long seed() {
        String given = System.getProperty("postonce.soak.seed", "");
        return given.isEmpty() ? new SecureRandom().nextInt(1_000_000) : Long.parseLong(given);
    }

    @Test
    void whatever_breaks_in_whatever_order_nothing_is_lost_and_nothing_is_doubled() throws Exception {
        long begin = System.nanoTime();
        long end = begin + Duration.ofMinutes(minutes).toNanos();
        System.out.println("soak: seed " + seed + ", " + minutes + " minutes");
        Cluster cluster = SharedCluster.get(ClusterPlan.named("soak", seed));
        Nemesis nemesis = new Nemesis(cluster, seed);
        Audit.Report last = null;
        for (int round = 1; findings.isEmpty() && (round == 1 || System.nanoTime() - end < 0); round++) {
            last = round(cluster, nemesis, round);
        }
        List<String> faults = new ArrayList<>();
        nemesis.done().forEach((what, times) -> faults.add(what + ":" + times));
        Audit.Report whole = new Audit.Report(List.copyOf(findings), quietMax, last.verdict(), accepted, operations);
        double seconds = (System.nanoTime() - begin) / 1e9;
        Ledger.open().add(new Ledger.Line("soak", "soak", seed, faults, nemesis.faults(), seconds, whole));
        assertThat(findings).as("soak, seed " + seed + ", faults " + faults).isEmpty();
    }

    private Audit.Report round(Cluster cluster, Nemesis nemesis, int round) throws Exception {
        try (Workload workload = new Workload(cluster, "s" + round, seed + round, CLIENTS, PAUSE_MS).start()) {
            nemesis.strikeFor(ROUND);
            cluster.heal();
            cluster.awaitHealthy();
            new SandboxControl(cluster).heal();
            Experiment.pause(Duration.ofSeconds(2));
            workload.stop();
            Audit.Report report = new Audit(cluster).run(workload);
            findings.addAll(report.findings());
            operations += report.operations();
            accepted += report.accepted();
            quietMax = Math.max(quietMax, report.seconds());
            System.out.printf(
                    Locale.ROOT,
                    "round %d: %d faults so far, %d operations %s, %d tasks, quiet after %.1f s: %s%n",
                    round,
                    nemesis.faults(),
                    report.operations(),
                    workload.history().counts(),
                    report.accepted(),
                    report.seconds(),
                    report.isClean() ? "clean" : "FINDINGS");
            report.findings().stream().limit(40).forEach(System.out::println);
            return report;
        }
    }
}
