package dev.postonce.invariants.facts;

/**
 * What {@code ingest.audit} says of one task or group, counted.
 *
 * @param created rows that say that it was created
 * @param versions different versions of which a row says that they were accepted
 * @param newest the highest of them
 */
public record AuditFact(AggregateKey key, long created, long versions, long newest) {}
