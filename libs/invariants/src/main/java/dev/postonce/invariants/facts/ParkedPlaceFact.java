package dev.postonce.invariants.facts;

/** A row of a {@code parked_record} table: a record that a service kept rather than processed, by its place. */
public record ParkedPlaceFact(ParkedFact.By by, String topic, int partition, long offset, String reason) {}
