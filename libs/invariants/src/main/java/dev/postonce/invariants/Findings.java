package dev.postonce.invariants;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects what a checker finds; lists a bounded number and counts all. */
final class Findings {

    /** A system with more wrong keys than this needs a person, not a longer list. */
    static final int LISTED_MAX = 10_000;

    private final InvariantId invariant;
    private final Map<ViolationKind, Long> counts = new EnumMap<>(ViolationKind.class);
    private final List<Violation> listed = new ArrayList<>();
    private long checked;
    private long inFlight;
    private long explained;

    Findings(InvariantId invariant) {
        this.invariant = invariant;
    }

    void checked() {
        checked++;
    }

    void inFlight() {
        inFlight++;
    }

    void explained() {
        explained++;
    }

    void add(ViolationKind kind, Object key, String explanation) {
        counts.merge(kind, 1L, Long::sum);
        if (listed.size() < LISTED_MAX) {
            listed.add(new Violation(invariant, kind, key.toString(), explanation));
        }
    }

    CheckResult result() {
        return new CheckResult(invariant, checked, inFlight, explained, counts, listed);
    }
}
