package dev.postonce.invariants;

import dev.postonce.contract.TargetState;
import dev.postonce.contract.Topics;
import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.ParkedPlaceFact;
import dev.postonce.invariants.facts.TargetFacts;
import dev.postonce.invariants.facts.UndecodableFact;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** I11: what nobody could read is kept by each service that reads its topic, and what waits for a person says for what. */
final class NothingHalfKnownDropped implements Invariant {

    private record Place(String topic, int partition, long offset) {}

    @Override
    public InvariantId id() {
        return InvariantId.I11;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().trails()) {
            return findings.result();
        }
        Map<Place, Set<ParkedFact.By>> kept = new HashMap<>();
        for (ParkedPlaceFact place : facts.parkedPlaces()) {
            findings.checked();
            kept.computeIfAbsent(
                            new Place(place.topic(), place.partition(), place.offset()),
                            key -> EnumSet.noneOf(ParkedFact.By.class))
                    .add(place.by());
            if (place.reason().isBlank()) {
                findings.add(ViolationKind.UNTRUE, place(place), "is parked without a reason");
            }
        }
        for (UndecodableFact odd : facts.undecodable()) {
            findings.checked();
            unread(odd, kept, facts, findings);
        }
        for (TargetFacts target : facts.targets()) {
            waiting(target, facts, findings);
        }
        return findings.result();
    }

    private static void unread(
            UndecodableFact odd, Map<Place, Set<ParkedFact.By>> kept, Facts facts, Findings findings) {
        Set<ParkedFact.By> by = kept.getOrDefault(
                new Place(odd.topic(), odd.partition(), odd.offset()), EnumSet.noneOf(ParkedFact.By.class));
        for (ParkedFact.By reader : readers(odd.topic())) {
            if (by.contains(reader)) {
                findings.explained();
            } else if (facts.window().settled(odd.appendedAtMs())) {
                findings.add(ViolationKind.MISSING, odd, "is no event, and " + reader + " has not kept it");
            } else {
                findings.inFlight();
            }
        }
    }

    private static Set<ParkedFact.By> readers(String topic) {
        return switch (topic) {
            case Topics.TASK -> EnumSet.of(ParkedFact.By.INDEX, ParkedFact.By.DISPATCH);
            case Topics.GROUP, Topics.KEY -> EnumSet.of(ParkedFact.By.INDEX);
            case Topics.DISPATCH -> EnumSet.of(ParkedFact.By.INGEST);
            default -> EnumSet.noneOf(ParkedFact.By.class);
        };
    }

    private static void waiting(TargetFacts target, Facts facts, Findings findings) {
        findings.checked();
        DispatchTargetFact dispatch = target.dispatch();
        if (dispatch == null || !dispatch.state().equals(TargetState.AWAITING_OPERATOR.wireName())) {
            return;
        }
        boolean open = target.attempts().stream().anyMatch(AttemptFact::isOpen);
        if (!open && facts.window().settled(dispatch.updatedAtMs())) {
            findings.add(ViolationKind.UNTRUE, target.key(), "waits for a person, and no attempt is in doubt");
        }
    }

    private static String place(ParkedPlaceFact place) {
        return place.topic() + " partition " + place.partition() + " offset " + place.offset();
    }
}
