package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.Window;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** I5: per key, first appearances on the topic have rising versions; a gap exists only where a listed row explains it. */
final class OrderPerKey implements Invariant {

    /** Versions of one history; a promotion or restore opens the next one. */
    static final long HISTORY = 1_000_000_000L;

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
            if (!aggregate.records().isEmpty()) {
                findings.checked();
                check(aggregate, facts.window(), findings);
            }
        }
        return findings.result();
    }

    private static void check(AggregateFacts aggregate, Window window, Findings findings) {
        Set<UUID> seen = new HashSet<>();
        RecordFact highest = null;
        for (RecordFact next : aggregate.records()) {
            if (!seen.add(next.eventId())) {
                continue;
            }
            if (highest != null && next.partition() != highest.partition()) {
                findings.add(
                        ViolationKind.OUT_OF_ORDER,
                        aggregate.key(),
                        "one key on two partitions: " + highest.place() + " and " + next.place());
                return;
            }
            if (highest != null && next.version() < highest.version()) {
                lower(aggregate, highest, next, window, findings);
            } else if (highest != null && next.version() == highest.version()) {
                same(aggregate, highest, next, findings);
            } else {
                gap(aggregate, highest, next, window, findings);
                highest = next;
            }
        }
    }

    private static void lower(
            AggregateFacts aggregate, RecordFact highest, RecordFact next, Window window, Findings findings) {
        // The first copy of an old event may be compacted away while a later copy still stands.
        if (next.occurredAtMs() >= window.compactedBeforeMs()) {
            findings.add(
                    ViolationKind.OUT_OF_ORDER,
                    aggregate.key(),
                    "version " + next.version() + " at " + next.place() + " after version " + highest.version() + " at "
                            + highest.place());
        }
    }

    /** The present state may be emitted again under a new event id; it must be the same state. */
    private static void same(AggregateFacts aggregate, RecordFact first, RecordFact again, Findings findings) {
        if (!first.data().equals(again.data())) {
            findings.add(
                    ViolationKind.DOUBLED,
                    aggregate.key(),
                    "version " + again.version() + " with two contents, at " + first.place() + " and " + again.place());
        }
    }

    private static void gap(
            AggregateFacts aggregate, @Nullable RecordFact before, RecordFact next, Window window, Findings findings) {
        long from = before == null ? 0 : before.version();
        if (next.version() == from + 1) {
            return;
        }
        long known = 0;
        for (OutboxFact row : aggregate.outbox()) {
            if (row.version() <= from || row.version() >= next.version()) {
                continue;
            }
            known++;
            if (!explained(aggregate, row, next, window)) {
                findings.add(
                        ViolationKind.MISSING,
                        aggregate.key(),
                        "version " + row.version() + " did not appear before version " + next.version() + " at "
                                + next.place());
                return;
            }
        }
        long expected = versionsBetween(from, next.version()) - 1;
        boolean mayBeArchived = before == null || before.occurredAtMs() < window.archivedBeforeMs();
        if (known < expected && !mayBeArchived) {
            findings.add(
                    ViolationKind.MISSING,
                    aggregate.key(),
                    "versions between " + from + " and " + next.version() + " were never committed");
        } else {
            findings.explained();
        }
    }

    /** How many versions lie above {@code from}, up to and with {@code to}; a new history skips what it likes. */
    static long versionsBetween(long from, long to) {
        return to / HISTORY > from / HISTORY ? 1 : to - from;
    }

    private static boolean explained(AggregateFacts aggregate, OutboxFact row, RecordFact next, Window window) {
        return NoEventLostNoneInvented.parked(aggregate.parked(), row)
                || NoEventLostNoneInvented.compacted(row, next.version(), window)
                || appearsLater(aggregate.records(), row);
    }

    /** Then it is out of order, and is told as that. */
    private static boolean appearsLater(List<RecordFact> records, OutboxFact row) {
        for (RecordFact seen : records) {
            if (seen.eventId().equals(row.eventId())) {
                return true;
            }
        }
        return false;
    }
}
