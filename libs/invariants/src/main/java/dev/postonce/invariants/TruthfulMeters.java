package dev.postonce.invariants;

import dev.postonce.invariants.facts.CounterFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.GaugeFact;

/** I13: a gauge shows what the rows add up to, and a counter has neither missed nor invented what is written down. */
final class TruthfulMeters implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I13;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (GaugeFact gauge : facts.processes().gauges()) {
            findings.checked();
            if (gauge.told() == gauge.counted()) {
                continue;
            }
            if (facts.window().settled(gauge.changedAtMs())) {
                findings.add(
                        ViolationKind.STALE,
                        key(gauge.instance(), gauge.meter()),
                        "says " + text(gauge.told()) + ", and the rows are " + gauge.counted());
            } else {
                findings.inFlight();
            }
        }
        for (CounterFact counter : facts.processes().counters()) {
            findings.checked();
            if (counter.told() > counter.atMost()) {
                findings.add(
                        ViolationKind.UNTRUE,
                        key(counter.instance(), counter.meter()),
                        "counted " + text(counter.told()) + " since it began, and " + counter.atMost()
                                + " are written down");
            } else if (counter.told() < counter.atLeast()) {
                findings.add(
                        ViolationKind.MISSING,
                        key(counter.instance(), counter.meter()),
                        "counted " + text(counter.told()) + " since it began, and " + counter.atLeast()
                                + " or more are written down");
            }
        }
        return findings.result();
    }

    private static String key(String instance, String meter) {
        return meter + " at " + instance;
    }

    private static String text(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
