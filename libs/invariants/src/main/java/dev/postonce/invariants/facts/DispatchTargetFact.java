package dev.postonce.invariants.facts;

import org.jspecify.annotations.Nullable;

/** A row of {@code dispatch.target}: what the dispatcher knows. */
public record DispatchTargetFact(
        TargetKey key,
        @Nullable String account,
        long version,
        @Nullable Long shownTaskVersion,
        String state,
        @Nullable String platformPostId,
        @Nullable Long observedAtMs,
        long updatedAtMs) {}
