package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AuditFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.TaskFact;

/** I12: each row has an audit row of its creation and of each of its versions. */
final class Audited implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I12;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().trails()) {
            return findings.result();
        }
        for (AggregateFacts aggregate : facts.aggregates()) {
            TaskFact task = aggregate.task();
            GroupFact group = aggregate.group();
            AuditFact audit = aggregate.audit();
            if (task == null && group == null) {
                if (audit != null) {
                    findings.checked();
                    findings.add(ViolationKind.EXTRA, aggregate.key(), "was accepted, by the audit, and is not there");
                }
                continue;
            }
            findings.checked();
            long version = task != null ? task.version() : group == null ? 0 : group.version();
            if (audit == null || audit.created() == 0) {
                findings.add(ViolationKind.MISSING, aggregate.key(), "nothing says who created it");
            } else if (audit.newest() < version) {
                findings.add(
                        ViolationKind.MISSING,
                        aggregate.key(),
                        "nothing says who asked for version " + version + "; the newest audited is " + audit.newest());
            } else if (audit.newest() > version) {
                findings.add(
                        ViolationKind.EXTRA,
                        aggregate.key(),
                        "version " + audit.newest() + " was accepted, by the audit; the row is at " + version);
            } else if (audit.versions() < version % OrderPerKey.HISTORY) {
                findings.add(
                        ViolationKind.MISSING,
                        aggregate.key(),
                        "its audit knows " + audit.versions() + " versions, and its version is " + version);
            }
        }
        return findings.result();
    }
}
