package dev.postonce.invariants;

import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.ResourceFact;

/** I14: connections, files, threads and transactions that were taken are given back. */
final class ResourcesComeBack implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I14;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (ResourceFact resource : facts.processes().resources()) {
            findings.checked();
            if (resource.used() > resource.limit()) {
                findings.add(
                        ViolationKind.EXTRA,
                        resource.resource() + " at " + resource.holder(),
                        Math.round(resource.used()) + " are held; " + Math.round(resource.limit())
                                + " would be in use rather than kept");
            }
        }
        return findings.result();
    }
}
