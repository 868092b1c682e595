package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.TargetFacts;
import dev.postonce.invariants.facts.Window;
import java.util.HashMap;
import java.util.Map;

/** I1: each version of a row has its own event, and each platform that a task names its target; none without the other. */
final class OneEventPerChange implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I1;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (AggregateFacts aggregate : facts.aggregates()) {
            AggregateKey.Kind kind = aggregate.key().kind();
            if ((kind == AggregateKey.Kind.TASK || kind == AggregateKey.Kind.GROUP)
                    && !aggregate.outbox().isEmpty()) {
                findings.checked();
                events(aggregate, facts.window(), findings);
            }
        }
        if (facts.coverage().trails()) {
            for (TargetFacts target : facts.targets()) {
                findings.checked();
                target(target, findings);
            }
        }
        return findings.result();
    }

    private static void events(AggregateFacts aggregate, Window window, Findings findings) {
        Map<Long, OutboxFact> byVersion = new HashMap<>();
        long lowest = Long.MAX_VALUE;
        long highest = 0;
        for (OutboxFact row : aggregate.outbox()) {
            OutboxFact other = byVersion.put(row.version(), row);
            // The present state may be emitted again; it must be the same state.
            if (other != null && !other.content().equals(row.content())) {
                findings.add(
                        ViolationKind.DOUBLED,
                        aggregate.key(),
                        "two events of version " + row.version() + " with different contents");
            }
            lowest = Math.min(lowest, row.version());
            highest = Math.max(highest, row.version());
        }
        OutboxFact oldest = byVersion.get(lowest);
        boolean mayBeArchived = oldest == null || oldest.occurredAtMs() < window.archivedBeforeMs();
        long expected = OrderPerKey.versionsBetween(mayBeArchived ? lowest - 1 : 0, highest);
        if (byVersion.size() < expected) {
            findings.add(
                    ViolationKind.MISSING,
                    aggregate.key(),
                    "only " + byVersion.size() + " of " + expected + " versions have an event");
        }
    }

    private static void target(TargetFacts target, Findings findings) {
        if (target.wanted() != null && target.shown() == null) {
            findings.add(ViolationKind.MISSING, target.key(), "its task names the platform, and there is no target");
        } else if (target.wanted() == null && target.shown() != null) {
            findings.add(ViolationKind.EXTRA, target.key(), "a target of a platform that no task names");
        }
    }
}
