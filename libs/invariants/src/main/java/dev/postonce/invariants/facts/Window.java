package dev.postonce.invariants.facts;

import java.time.Duration;
import java.time.Instant;

/**
 * The times that facts are judged by. Sinks (topics, replicas, posts) must be read first and the database last, in
 * one snapshot: then whatever a sink has must be in the database, with no grace, and what the database has from before
 * the settled time must be in the sinks.
 *
 * @param settledBeforeMs changes from before this time must have arrived everywhere
 * @param compactedBeforeMs a record from before this time may be gone from a topic once a later one of its key is there
 * @param archivedBeforeMs an outbox row from before this time may be gone from its table
 */
public record Window(long settledBeforeMs, long compactedBeforeMs, long archivedBeforeMs) {

    private static final Duration COMPACTION_LAG = Duration.ofDays(7);
    private static final Duration ARCHIVE = Duration.ofDays(30);

    /** @param readingBegan before the first sink was read */
    public static Window of(Instant readingBegan, Duration grace) {
        return new Window(
                readingBegan.minus(grace).toEpochMilli(),
                readingBegan.minus(COMPACTION_LAG).toEpochMilli(),
                readingBegan.minus(ARCHIVE).toEpochMilli());
    }

    public boolean settled(long atMs) {
        return atMs <= settledBeforeMs;
    }
}
