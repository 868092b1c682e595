package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.RecordFact;
import java.time.Duration;

/**
 * I5: the last record of a key is its newest version. The topics are compacted, so an older copy that came last would
 * once be all that a new consumer ever sees. A publisher that was replaced and woke can add such a copy; until compaction
 * may drop what lies before it, the key's next change mends it, so it is a fault only after a day.
 */
final class NewestLast implements Invariant {

    private static final long MENDS_ITSELF_MS = Duration.ofDays(1).toMillis();

    @Override
    public InvariantId id() {
        return InvariantId.I5;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().topics()) {
            return findings.result();
        }
        for (AggregateFacts aggregate : facts.aggregates()) {
            RecordFact highest = null;
            RecordFact last = null;
            for (RecordFact seen : aggregate.records()) {
                highest = highest == null || seen.version() > highest.version() ? seen : highest;
                last = seen;
            }
            if (highest == null || last == null) {
                continue;
            }
            findings.checked();
            if (last.version() < highest.version()) {
                judge(aggregate.key(), highest, last, facts, findings);
            }
        }
        return findings.result();
    }

    private static void judge(AggregateKey key, RecordFact highest, RecordFact last, Facts facts, Findings findings) {
        if (!facts.window().settled(last.appendedAtMs() + MENDS_ITSELF_MS)) {
            findings.explained();
            return;
        }
        findings.add(
                ViolationKind.OUT_OF_ORDER,
                key,
                "its last record, at " + last.place() + ", is version " + last.version()
                        + "; compaction would drop version " + highest.version() + " at " + highest.place());
    }
}
