package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.systemtests.audit.Audit;
import dev.postonce.systemtests.audit.Finding;
import dev.postonce.systemtests.audit.Ledger;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.SandboxControl;
import dev.postonce.systemtests.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One run of two phases. Phase 1: clients submit while something is broken. Phase 2: all is made good, nothing new comes,
 * and the audit waits and judges.
 */
public final class Experiment {

    private static final int CLIENTS = 3;
    private static final long PAUSE_MS = 700;
    private static final Duration CALM = Duration.ofMillis(1500);

    private final Cluster cluster;
    private final String run;
    private final long seed;
    private String tier = "faults";
    private Duration calm = CALM;
    private Predicate<Finding> expected = finding -> false;

    public Experiment(Cluster cluster, String run, long seed) {
        this.cluster = cluster;
        this.run = run;
        this.seed = seed;
    }

    /** What is broken, while clients submit. */
    public interface Phase1 {

        /** @return how many connections, requests or processes suffered; none would prove nothing */
        long run(Workload workload) throws Exception;
    }

    public Experiment tier(String tier) {
        this.tier = tier;
        return this;
    }

    /** What the fault makes true, though it would be wrong without it. */
    public Experiment expecting(Predicate<Finding> expected) {
        this.expected = expected;
        return this;
    }

    /** Runs both phases, tells the ledger, and fails if anything is not as it must be. */
    public Audit.Report verify(List<String> faults, Phase1 phase1) throws Exception {
        Audit.Report report = run(faults, phase1);
        assertThat(report.findings())
                .as("run " + run + ", seed " + seed + ", faults " + faults)
                .isEmpty();
        return report;
    }

    /** As {@link #verify}, for a caller that judges by itself. */
    public Audit.Report run(List<String> faults, Phase1 phase1) throws Exception {
        long begin = System.nanoTime();
        try (Workload workload = new Workload(cluster, run, seed, CLIENTS, PAUSE_MS).start()) {
            pause(calm);
            long hits;
            try {
                hits = phase1.run(workload);
            } catch (Exception | AssertionError e) {
                // The report comes with the end of the class, minutes later.
                System.out.println(run + ": seed " + seed + ", faults " + faults + ": " + e);
                throw e;
            } finally {
                heal();
            }
            pause(calm);
            workload.stop();
            Audit.Report report = new Audit(cluster).run(workload).without(expected);
            double seconds = (System.nanoTime() - begin) / 1e9;
            Ledger.open().add(new Ledger.Line(tier, run, seed, faults, hits, seconds, report));
            System.out.printf(
                    Locale.ROOT,
                    "%s: seed %d, faults %s, %d hits, %.0f s, %d operations %s, quiet after %.1f s: %s%n",
                    run,
                    seed,
                    faults,
                    hits,
                    seconds,
                    report.operations(),
                    workload.history().counts(),
                    report.seconds(),
                    report.isClean() ? "clean" : report.findings().size() + " findings");
            report.findings().stream().limit(30).forEach(System.out::println);
            assertThat(hits).as("hits of " + faults).isPositive();
            return report;
        }
    }

    /** Where an experiment has several faults, each has to have touched something. */
    static long positive(String fault, long hits) {
        assertThat(hits).as("hits of " + fault).isPositive();
        return hits;
    }

    private void heal() {
        cluster.heal();
        cluster.awaitHealthy();
        new SandboxControl(cluster).heal();
    }

    static void pause(Duration duration) {
        Patience.until(duration, () -> false);
    }
}
