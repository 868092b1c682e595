package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.UndecodableFact;
import dev.postonce.invariants.facts.Window;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** I4: outbox rows and topic records are the same set of events, and each record is an exact copy of its row. */
final class NoEventLostNoneInvented implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I4;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().topics()) {
            return findings.result();
        }
        Set<UUID> seen = new HashSet<>();
        for (AggregateFacts aggregate : facts.aggregates()) {
            if (aggregate.outbox().isEmpty() && aggregate.records().isEmpty()) {
                continue;
            }
            findings.checked();
            lost(aggregate, facts.window(), findings);
            invented(aggregate, facts.window(), seen, findings);
        }
        for (UndecodableFact odd : facts.undecodable()) {
            findings.add(ViolationKind.EXTRA, odd, "a record that is no event: " + odd.reason());
        }
        return findings.result();
    }

    private static void lost(AggregateFacts aggregate, Window window, Findings findings) {
        Set<UUID> onTopic = new HashSet<>();
        long newestOnTopic = 0;
        for (RecordFact seen : aggregate.records()) {
            onTopic.add(seen.eventId());
            newestOnTopic = Math.max(newestOnTopic, seen.version());
        }
        boolean inFlight = false;
        boolean explained = false;
        for (OutboxFact row : aggregate.outbox()) {
            if (onTopic.contains(row.eventId()) || compacted(row, newestOnTopic, window)) {
                continue;
            }
            if (parked(aggregate.parked(), row)) {
                explained = true;
            } else if (!window.settled(row.occurredAtMs())) {
                inFlight = true;
            } else {
                findings.add(
                        ViolationKind.MISSING,
                        aggregate.key(),
                        "event " + row.eventId() + " of version " + row.version()
                                + " is committed but not on the topic");
            }
        }
        if (inFlight) {
            findings.inFlight();
        }
        if (explained) {
            findings.explained();
        }
    }

    private static void invented(AggregateFacts aggregate, Window window, Set<UUID> seen, Findings findings) {
        Map<UUID, OutboxFact> rows = new HashMap<>();
        for (OutboxFact row : aggregate.outbox()) {
            rows.put(row.eventId(), row);
        }
        Map<UUID, RecordFact> firsts = new HashMap<>();
        for (RecordFact copy : aggregate.records()) {
            RecordFact first = firsts.putIfAbsent(copy.eventId(), copy);
            OutboxFact row = rows.get(copy.eventId());
            if (first == null && !seen.add(copy.eventId())) {
                findings.add(ViolationKind.UNTRUE, aggregate.key(), event(copy) + " stands under two keys");
            } else if (first != null && !sameEvent(first, copy)) {
                findings.add(ViolationKind.UNTRUE, aggregate.key(), event(copy) + " is no exact copy of the first");
            } else if (row != null
                    && !(row.version() == copy.version() && row.data().equals(copy.data()))) {
                findings.add(ViolationKind.UNTRUE, aggregate.key(), event(copy) + " differs from its outbox row");
            } else if (row == null && first == null && copy.occurredAtMs() >= window.archivedBeforeMs()) {
                findings.add(ViolationKind.EXTRA, aggregate.key(), event(copy) + " was never committed");
            }
        }
    }

    /** A later record of the key stands in for one that is old enough to be gone. */
    static boolean compacted(OutboxFact row, long newestOnTopic, Window window) {
        return newestOnTopic > row.version() && row.occurredAtMs() < window.compactedBeforeMs();
    }

    static boolean parked(List<ParkedFact> parked, OutboxFact row) {
        for (ParkedFact reason : parked) {
            if (reason.by() == ParkedFact.By.RELAY && row.eventId().equals(reason.eventId())) {
                return true;
            }
        }
        return false;
    }

    private static boolean sameEvent(RecordFact first, RecordFact copy) {
        return first.version() == copy.version()
                && first.partition() == copy.partition()
                && first.data().equals(copy.data());
    }

    private static String event(RecordFact copy) {
        return "event " + copy.eventId() + " of version " + copy.version() + " at " + copy.place();
    }
}
