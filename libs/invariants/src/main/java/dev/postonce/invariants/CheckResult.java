package dev.postonce.invariants;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one checker found.
 *
 * @param checkedKeys keys that were looked at
 * @param inFlight keys whose newest change is younger than the grace, so that sinks need not have it yet
 * @param explained keys that differ, but for which a listed row (parked, superseded, given up) says why
 * @param counts violations of each kind, all of them
 * @param violations the first of them, at most {@link Findings#LISTED_MAX}
 */
public record CheckResult(
        InvariantId invariant,
        long checkedKeys,
        long inFlight,
        long explained,
        Map<ViolationKind, Long> counts,
        List<Violation> violations) {

    public CheckResult {
        counts = Map.copyOf(counts);
        violations = List.copyOf(violations);
    }

    public boolean holds() {
        return counts.isEmpty();
    }

    public long count(ViolationKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** This and another checker's findings about the same invariant. */
    CheckResult and(CheckResult other) {
        Map<ViolationKind, Long> both = new EnumMap<>(ViolationKind.class);
        counts.forEach((kind, count) -> both.merge(kind, count, Long::sum));
        other.counts.forEach((kind, count) -> both.merge(kind, count, Long::sum));
        List<Violation> listed = new ArrayList<>(violations);
        other.violations.stream()
                .limit(Math.max(0, Findings.LISTED_MAX - listed.size()))
                .forEach(listed::add);
        return new CheckResult(
                invariant,
                checkedKeys + other.checkedKeys,
                inFlight + other.inFlight,
                explained + other.explained,
                both,
                listed);
    }
}
