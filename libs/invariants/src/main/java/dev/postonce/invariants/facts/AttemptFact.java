package dev.postonce.invariants.facts;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the effect ledger.
 *
 * @param settledAs {@code done}, {@code found}, {@code refused}, {@code absent}, …; null while nobody knows
 */
public record AttemptFact(
        TargetKey key, UUID attemptId, long taskVersion, long startedAtMs, @Nullable String settledAs) {

    private static final Set<String> ACTED = Set.of("done", "found");

    public boolean isOpen() {
        return settledAs == null;
    }

    /** Whether the platform is known to have done it. */
    public boolean isActed() {
        return settledAs != null && ACTED.contains(settledAs);
    }
}
