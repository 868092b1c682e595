package dev.postonce.invariants.facts;

/**
 * An entry of an index sink.
 *
 * @param sink {@code index.entry}, or the address of a replica
 * @param tenantId under which it can be found
 */
public record EntryFact(
        AggregateKey key, String sink, String tenantId, long version, boolean deleted, Fingerprint content) {}
