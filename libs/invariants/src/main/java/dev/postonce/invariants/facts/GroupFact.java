package dev.postonce.invariants.facts;

import java.util.UUID;

/** A row of {@code ingest.group_entry}. */
public record GroupFact(
        String tenantId,
        String operation,
        String normalizedGroupId,
        UUID id,
        long version,
        boolean deleted,
        Fingerprint content) {

    public AggregateKey key() {
        return new AggregateKey(AggregateKey.Kind.GROUP, tenantId + ":" + operation + "/" + normalizedGroupId);
    }
}
