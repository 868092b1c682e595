package dev.postonce.invariants;

import dev.postonce.invariants.facts.Facts;
import java.util.List;

/**
 * The checkers that can judge from facts of one moment. I3, I9, I11 and I12 speak of answers, callbacks and
 * audits over time; the system tests judge those from what they did.
 */
public final class Invariants {

    private static final List<Invariant> ALL = List.of(
            new AtomicIntake(),
            new OneTask(),
            new NoEventLostNoneInvented(),
            new OrderPerKey(),
            new OneEntryNewestState(),
            new OnePost(),
            new TruthfulStatus(),
            new TenantsAreStrangers());

    private Invariants() {}

    public static List<Invariant> all() {
        return ALL;
    }

    public static List<CheckResult> check(Facts facts) {
        return ALL.stream().map(invariant -> invariant.check(facts)).toList();
    }
}
