package dev.postonce.invariants.facts;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the effect ledger.
 *
 * @param outcome null while nobody knows
 */
public record AttemptFact(
        TargetKey key, UUID attemptId, long taskVersion, long startedAtMs, @Nullable String outcome) {}
