package dev.postonce.systemtests.audit;

import dev.postonce.invariants.InvariantId;
import dev.postonce.invariants.Violation;
import dev.postonce.invariants.ViolationKind;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.verify.Verdict;
import dev.postonce.standalone.verify.Verification;
import dev.postonce.standalone.verify.VerifySources;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.Planted;
import dev.postonce.systemtests.harness.Tenants;
import dev.postonce.systemtests.workload.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Phase 2 of a run: all links are good and all processes run; the audit waits until nothing is on its way, and judges with
 * the checkers of {@code postonce verify} and with what the clients know.
 */
public final class Audit {

    private static final Duration QUIET_WITHIN = Duration.ofSeconds(120);
    private static final Duration STANDSTILL = Duration.ofSeconds(25);
    private static final Duration CLEAN_WITHIN = Duration.ofSeconds(20);

    private final Cluster cluster;
    private final Duration quietWithin;

    public Audit(Cluster cluster) {
        this(cluster, QUIET_WITHIN);
    }

    public Audit(Cluster cluster, Duration quietWithin) {
        this.cluster = cluster;
        this.quietWithin = quietWithin;
    }

    /**
     * @param seconds until all was quiet
     * @param verdict of the checkers that {@code postonce verify} uses
     */
    public record Report(List<Finding> findings, double seconds, Verdict verdict, long accepted, long operations) {

        public boolean isClean() {
            return findings.isEmpty();
        }

        /** For a fault that makes true what would be wrong otherwise. */
        public Report without(Predicate<Finding> expected) {
            List<Finding> left = findings.stream().filter(expected.negate()).toList();
            return new Report(left, seconds, verdict, accepted, operations);
        }
    }

    /** The workload has to be stopped, and the cluster healed. */
    public Report run(Workload workload) throws InterruptedException, SQLException, IOException {
        long begin = System.nanoTime();
        List<Finding> findings = new ArrayList<>();
        for (String unsettled : workload.settle()) {
            findings.add(new Finding("liveness", unsettled, "no answer although all is well"));
        }
        for (String lost : workload.lost()) {
            findings.add(new Finding("I4", lost, "its record was taken and read, and did not submit it"));
        }
        String onItsWay = Quiescence.await(cluster.postgres(), quietWithin, STANDSTILL);
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (!onItsWay.isEmpty()) {
            findings.add(new Finding("liveness", workload.run(), "still on its way: " + onItsWay));
        }
        Verdict verdict = verify();
        for (Violation violation : notPlanted(verdict)) {
            findings.add(new Finding(
                    violation.invariant().name(), violation.key(), violation.kind() + " " + violation.explanation()));
        }
        findings.addAll(new ParkedAudit(cluster).findings());
        findings.addAll(
                new HistoryAudit(workload.history().operations(), HistoryAudit.read(cluster.postgres(), workload.run()))
                        .findings());
        findings.addAll(new CallbackAudit(cluster, workload.run()).findings());
        findings.addAll(LogAudit.findings(cluster));
        return new Report(
                findings,
                seconds,
                verdict,
                cluster.postgres()
                        .number("select count(*) from ingest.task where starts_with(external_id, '" + workload.run()
                                + "-')"),
                workload.history().operations().size());
    }

    /** What {@code postonce verify} says; what may still arrive gets a moment. */
    private Verdict verify() throws InterruptedException {
        return verify(CLEAN_WITHIN);
    }

    /** @param cleanWithin as long as only something is missing or old; zero where that is expected */
    public Verdict verify(Duration cleanWithin) throws InterruptedException {
        String tenant = Tenants.IDS.get(0);
        Verification verification = new Verification(
                new VerifySources(
                        cluster.postgres().url(),
                        cluster.databasePassword(),
                        cluster.brokers().bootstrap(),
                        List.of(cluster.service(Part.INDEX).url()),
                        cluster.sandboxUrl(),
                        cluster.tenants().key(tenant),
                        tenant,
                        cluster.services().stream()
                                .filter(node -> node.isWanted() && node.part() != Part.SANDBOX)
                                .map(node -> new VerifySources.Service(node.part(), node.url()))
                                .toList()),
                Clock.systemUTC(),
                line -> {},
                cluster.levels());
        long end = System.nanoTime() + cleanWithin.toNanos();
        Verdict verdict = verification.run("", Duration.ZERO);
        while (mayStillArrive(notPlanted(verdict)) && System.nanoTime() - end < 0) {
            Patience.until(Duration.ofSeconds(1), () -> false);
            verdict = verification.run("", Duration.ZERO);
        }
        return verdict;
    }

    /** What the test wrote onto the topics by itself is no fault of the product. */
    private List<Violation> notPlanted(Verdict verdict) {
        Set<Planted> planted = cluster.planted();
        return verdict.violations().stream()
                .filter(violation -> planted.stream().noneMatch(record -> record.isNamedBy(violation.key())))
                .toList();
    }

    private static boolean mayStillArrive(List<Violation> violations) {
        return !violations.isEmpty()
                && violations.stream()
                        .allMatch(violation -> violation.kind() == ViolationKind.MISSING
                                || violation.kind() == ViolationKind.STALE
                                || violation.invariant() == InvariantId.I14);
    }
}
