package dev.postonce.invariants.facts;

import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ingest.target}: what an upstream is told.
 *
 * @param dispatchVersion of the dispatcher's state that it shows; null while there was none
 */
public record TargetFact(
        TargetKey key, String state, @Nullable Long dispatchVersion, @Nullable Long observedAtMs, long updatedAtMs) {}
