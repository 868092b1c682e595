package dev.postonce.invariants.facts;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code ingest.task}. */
public record TaskFact(
        String tenantId,
        String externalId,
        UUID taskId,
        long version,
        boolean deleted,
        @Nullable String site,
        @Nullable String slug,
        Fingerprint content) {

    public AggregateKey key() {
        return new AggregateKey(AggregateKey.Kind.TASK, tenantId + ":" + externalId);
    }
}
