package dev.postonce.invariants;

import dev.postonce.contract.TargetState;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.TransitionFact;
import java.util.Optional;

/** I8: a target's history is a path in the table of transitions. */
final class LegalTransitions implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I8;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (TransitionFact change : facts.transitions()) {
            findings.checked();
            Optional<TargetState> from = TargetState.of(change.from());
            Optional<TargetState> to = TargetState.of(change.to());
            boolean legal = from.isPresent()
                    && to.isPresent()
                    && (from.get() == to.get() || from.get().mayBecome(to.get()));
            if (!legal) {
                findings.add(
                        ViolationKind.UNTRUE,
                        change.key(),
                        "version " + change.version() + " went from " + change.from() + " to " + change.to());
            }
        }
        return findings.result();
    }
}
