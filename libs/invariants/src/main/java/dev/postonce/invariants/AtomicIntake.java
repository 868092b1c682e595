package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.TaskFact;
import org.jspecify.annotations.Nullable;

/** I1, as far as rows tell: each row has the event of its version, and no event tells of a row that is not there. */
final class AtomicIntake implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I1;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (AggregateFacts aggregate : facts.aggregates()) {
            AggregateKey.Kind kind = aggregate.key().kind();
            if (kind == AggregateKey.Kind.TASK || kind == AggregateKey.Kind.GROUP) {
                check(aggregate, findings);
            }
        }
        return findings.result();
    }

    private static void check(AggregateFacts aggregate, Findings findings) {
        TaskFact task = aggregate.task();
        GroupFact group = aggregate.group();
        OutboxFact newest = newest(aggregate);
        if (task == null && group == null) {
            if (newest != null) {
                findings.checked();
                findings.add(
                        ViolationKind.EXTRA,
                        aggregate.key(),
                        "an event of version " + newest.version() + " but no row");
            }
            return;
        }
        findings.checked();
        long version = task != null ? task.version() : group == null ? 0 : group.version();
        Fingerprint content = task != null ? task.content() : group == null ? null : group.content();
        if (newest == null || newest.version() < version) {
            // The archive drops published rows after a time; the topic then still has the newest event of each key.
            if (aggregate.records().stream().noneMatch(seen -> seen.version() == version)) {
                findings.add(
                        ViolationKind.MISSING,
                        aggregate.key(),
                        "the row is at version " + version + " without its event");
            }
        } else if (newest.version() > version) {
            findings.add(
                    ViolationKind.UNTRUE,
                    aggregate.key(),
                    "an event of version " + newest.version() + " while the row is at " + version);
        } else if (!newest.content().equals(content)) {
            findings.add(
                    ViolationKind.UNTRUE,
                    aggregate.key(),
                    "row and event of version " + version + " differ in content");
        }
    }

    static @Nullable OutboxFact newest(AggregateFacts aggregate) {
        OutboxFact newest = null;
        for (OutboxFact row : aggregate.outbox()) {
            if (newest == null || row.version() > newest.version()) {
                newest = row;
            }
        }
        return newest;
    }
}
