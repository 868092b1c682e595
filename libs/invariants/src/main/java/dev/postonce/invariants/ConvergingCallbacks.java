package dev.postonce.invariants;

import dev.postonce.contract.TargetState;
import dev.postonce.invariants.facts.CallbackFact;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.TargetFact;
import dev.postonce.invariants.facts.TargetFacts;
import dev.postonce.invariants.facts.WantedTargetFact;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** I9: the newest state in which a target rests is told, is about to be, or is parked with what came of it. */
final class ConvergingCallbacks implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I9;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().trails()) {
            return findings.result();
        }
        for (TargetFacts target : facts.targets()) {
            WantedTargetFact wanted = target.wanted();
            if (target.callbacks().isEmpty() && (wanted == null || !wanted.calledBack())) {
                continue;
            }
            findings.checked();
            List<CallbackFact> told = target.callbacks().stream()
                    .sorted(Comparator.comparingLong(CallbackFact::sequence))
                    .toList();
            order(target, told, findings);
            newest(target, told, facts, findings);
        }
        return findings.result();
    }

    private static void order(TargetFacts target, List<CallbackFact> told, Findings findings) {
        for (int i = 1; i < told.size(); i++) {
            if (told.get(i).dispatchVersion() <= told.get(i - 1).dispatchVersion()) {
                findings.add(
                        ViolationKind.OUT_OF_ORDER,
                        target.key(),
                        "callback " + told.get(i).sequence() + " tells of an older state than callback "
                                + told.get(i - 1).sequence());
            }
        }
    }

    private static void newest(TargetFacts target, List<CallbackFact> told, Facts facts, Findings findings) {
        Optional<CallbackFact> last = told.isEmpty() ? Optional.empty() : Optional.of(told.get(told.size() - 1));
        if (last.isPresent()) {
            settled(target, last.get(), findings);
        }
        TargetFact shown = target.shown();
        WantedTargetFact wanted = target.wanted();
        boolean rests = shown != null
                && TargetState.of(shown.state()).filter(TargetState::callsBack).isPresent();
        if (shown == null || !rests || wanted == null || !wanted.calledBack()) {
            return;
        }
        if (!facts.window().settled(shown.updatedAtMs())) {
            findings.inFlight();
        } else if (last.isEmpty()) {
            findings.add(ViolationKind.MISSING, target.key(), "rests as " + shown.state() + ", and nobody is told");
        } else if (!last.get().status().equals(shown.state())) {
            findings.add(
                    ViolationKind.STALE,
                    target.key(),
                    "rests as " + shown.state() + ", and the newest callback says "
                            + last.get().status());
        } else if (last.get().taskVersion() < shownVersion(target, shown)) {
            findings.add(
                    ViolationKind.STALE,
                    target.key(),
                    "version " + shownVersion(target, shown) + " is out, and the newest callback says version "
                            + last.get().taskVersion());
        }
    }

    /** The version that is out, where the board and the dispatcher speak of the same state; else 0. */
    private static long shownVersion(TargetFacts target, TargetFact shown) {
        DispatchTargetFact dispatch = target.dispatch();
        Long same = shown.dispatchVersion();
        boolean published = shown.state().equals(TargetState.PUBLISHED.wireName());
        if (dispatch == null || !published || same == null || same != dispatch.version()) {
            return 0;
        }
        Long version = dispatch.shownTaskVersion();
        return version == null ? 0 : version;
    }

    private static void settled(TargetFacts target, CallbackFact last, Findings findings) {
        switch (last.state()) {
            case "superseded" ->
                findings.add(ViolationKind.MISSING, target.key(), "its newest callback counts as superseded");
            case "pending" -> findings.inFlight();
            case "parked" -> {
                if (last.lastOutcome() == null) {
                    findings.add(ViolationKind.UNTRUE, target.key(), "its newest callback is parked without a reason");
                } else {
                    findings.explained();
                }
            }
            default -> {}
        }
    }
}
