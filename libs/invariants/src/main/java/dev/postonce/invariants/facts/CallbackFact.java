package dev.postonce.invariants.facts;

import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ingest.callback}.
 *
 * @param dispatchVersion of the target's state that it tells
 * @param status that state
 * @param taskVersion that the target should show, by what was told
 * @param state {@code pending}, {@code delivered}, {@code superseded} or {@code parked}
 * @param lastOutcome of its last attempt; null while there was none
 */
public record CallbackFact(
        TargetKey key,
        long sequence,
        long dispatchVersion,
        String status,
        long taskVersion,
        String state,
        @Nullable String lastOutcome) {}
