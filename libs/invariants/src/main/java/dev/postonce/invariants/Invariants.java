package dev.postonce.invariants;

import dev.postonce.invariants.facts.Facts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The checkers that judge from facts of one moment; most invariants have more than one. What clients were told, what a
 * sink received and what stands in logs is known to the system tests alone, and judged there.
 */
public final class Invariants {

    private static final List<Invariant> ALL = List.of(
            new AtomicIntake(),
            new OneEventPerChange(),
            new OneTask(),
            new SameAnswer(),
            new NoEventLostNoneInvented(),
            new OrderPerKey(),
            new NewestLast(),
            new OneEntryNewestState(),
            new OnePost(),
            new LedgerDiscipline(),
            new TruthfulStatus(),
            new LegalTransitions(),
            new ConvergingCallbacks(),
            new TenantsAreStrangers(),
            new NothingHalfKnownDropped(),
            new Audited(),
            new TruthfulMeters(),
            new ResourcesComeBack());

    private Invariants() {}

    public static List<Invariant> all() {
        return ALL;
    }

    /** One result for each invariant, in their order, however many checkers it has. */
    public static List<CheckResult> check(Facts facts) {
        Map<InvariantId, CheckResult> results = new EnumMap<>(InvariantId.class);
        for (Invariant invariant : ALL) {
            CheckResult result = invariant.check(facts);
            results.merge(result.invariant(), result, CheckResult::and);
        }
        return List.copyOf(results.values());
    }
}
