package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.RecordFact;

/** I10, as far as rows tell: each record and each entry belongs to the tenant that its key names. */
final class TenantsAreStrangers implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I10;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (AggregateFacts aggregate : facts.aggregates()) {
            findings.checked();
            String tenant = aggregate.key().tenantId();
            for (RecordFact seen : aggregate.records()) {
                if (!seen.tenantId().equals(tenant)) {
                    findings.add(
                            ViolationKind.UNTRUE,
                            aggregate.key(),
                            "the record at " + seen.place() + " carries data of tenant " + seen.tenantId());
                }
            }
            for (EntryFact entry : aggregate.entries()) {
                if (!entry.tenantId().equals(tenant)) {
                    findings.add(
                            ViolationKind.UNTRUE,
                            aggregate.key(),
                            entry.sink() + " shows it to tenant " + entry.tenantId());
                }
            }
        }
        return findings.result();
    }
}
