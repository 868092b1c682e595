package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.IndexSink;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.TaskFact;
import dev.postonce.invariants.facts.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** I6: each index sink holds, per key, exactly one entry in the newest committed state; a removed key has none. */
final class OneEntryNewestState implements Invariant {

    /**
     * What the source holds.
     *
     * @param floor highest version that must have arrived; 0 while the key is too young
     */
    private record Source(long newest, boolean deleted, Fingerprint content, long floor) {}

    @Override
    public InvariantId id() {
        return InvariantId.I6;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (facts.coverage().sinks().isEmpty()) {
            return findings.result();
        }
        for (AggregateFacts aggregate : facts.aggregates()) {
            Source source = source(aggregate, facts.window());
            if (source == null) {
                for (EntryFact entry : aggregate.entries()) {
                    findings.add(ViolationKind.EXTRA, entry.key(), entry.sink() + " has an entry of an unknown key");
                }
                continue;
            }
            findings.checked();
            if (source.floor < source.newest) {
                findings.inFlight();
            }
            for (IndexSink sink : facts.coverage().sinks()) {
                if (sink.gave(aggregate.key())) {
                    check(aggregate, source, sink.name(), findings);
                }
            }
        }
        return findings.result();
    }

    private static void check(AggregateFacts aggregate, Source source, String sink, Findings findings) {
        List<EntryFact> held = new ArrayList<>(1);
        for (EntryFact entry : aggregate.entries()) {
            if (entry.sink().equals(sink)) {
                held.add(entry);
            }
        }
        if (held.size() > 1) {
            findings.add(ViolationKind.DOUBLED, aggregate.key(), sink + " has " + held.size() + " entries");
        } else if (held.isEmpty()) {
            absent(aggregate, source, sink, findings);
        } else {
            compare(aggregate, source, held.get(0), findings);
        }
    }

    private static void absent(AggregateFacts aggregate, Source source, String sink, Findings findings) {
        if (source.deleted || source.floor == 0) {
            return;
        }
        if (isParked(aggregate, 0)) {
            findings.explained();
        } else {
            findings.add(
                    ViolationKind.MISSING,
                    aggregate.key(),
                    sink + " has no entry; committed is version " + source.newest);
        }
    }

    private static void compare(AggregateFacts aggregate, Source source, EntryFact entry, Findings findings) {
        String seen = entry.sink() + " shows version " + entry.version();
        if (entry.version() > source.newest) {
            findings.add(ViolationKind.EXTRA, aggregate.key(), seen + "; committed is only " + source.newest);
        } else if (entry.version() == source.newest) {
            if (entry.deleted() != source.deleted) {
                findings.add(
                        ViolationKind.UNTRUE,
                        aggregate.key(),
                        seen + (source.deleted ? " of a removed key" : " as removed, but it is not"));
            } else if (!entry.content().equals(source.content)) {
                findings.add(ViolationKind.UNTRUE, aggregate.key(), seen + " in another content than was committed");
            }
        } else if (entry.version() < source.floor) {
            if (isParked(aggregate, entry.version())) {
                findings.explained();
            } else {
                findings.add(ViolationKind.STALE, aggregate.key(), seen + "; settled is " + source.floor);
            }
        }
    }

    private static boolean isParked(AggregateFacts aggregate, long above) {
        for (ParkedFact parked : aggregate.parked()) {
            Long version = parked.version();
            boolean onTheWay = parked.by() == ParkedFact.By.RELAY || parked.by() == ParkedFact.By.INDEX;
            if (onTheWay && (version == null || version > above)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Source source(AggregateFacts aggregate, Window window) {
        TaskFact task = aggregate.task();
        GroupFact group = aggregate.group();
        if (task != null) {
            return new Source(task.version(), task.deleted(), task.content(), floor(aggregate, task.version(), window));
        }
        if (group != null) {
            return new Source(
                    group.version(), group.deleted(), group.content(), floor(aggregate, group.version(), window));
        }
        return null;
    }

    private static long floor(AggregateFacts aggregate, long newest, Window window) {
        long settled = 0;
        long oldestUnsettled = Long.MAX_VALUE;
        for (OutboxFact row : aggregate.outbox()) {
            if (window.settled(row.occurredAtMs())) {
                settled = Math.max(settled, row.version());
            } else {
                oldestUnsettled = Math.min(oldestUnsettled, row.version());
            }
        }
        // Without a young event the newest version is old, even where its own row is archived.
        if (oldestUnsettled == Long.MAX_VALUE) {
            return newest;
        }
        return Math.max(settled, oldestUnsettled - 1);
    }
}
