package dev.postonce.invariants.facts;

import org.jspecify.annotations.Nullable;

/**
 * An index sink that was read whole.
 *
 * @param name as {@link EntryFact#sink} has it
 * @param tenantId the only tenant whose entries it gave; null if it gave all
 */
public record IndexSink(String name, @Nullable String tenantId) {

    public boolean gave(AggregateKey key) {
        return tenantId == null || tenantId.equals(key.tenantId());
    }
}
