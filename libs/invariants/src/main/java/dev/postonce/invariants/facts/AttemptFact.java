package dev.postonce.invariants.facts;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the effect ledger.
 *
 * @param settledAs {@code done}, {@code found}, {@code refused}, {@code absent}, …; null while nobody knows
 * @param sent what was sent, and when it was settled; null where the reader did not look
 */
public record AttemptFact(
        TargetKey key,
        UUID attemptId,
        long taskVersion,
        long startedAtMs,
        @Nullable String settledAs,
        @Nullable Sent sent) {

    private static final Set<String> ACTED = Set.of("done", "found");

    /**
     * The frozen request.
     *
     * @param keyed whether it carries a key by which the platform dedupes
     * @param resendOf the attempt of which it repeats the request; null for a first one
     * @param settledAtMs null while it is open
     */
    public record Sent(
            String account, Fingerprint request, boolean keyed, @Nullable UUID resendOf, @Nullable Long settledAtMs) {}

    public AttemptFact(TargetKey key, UUID attemptId, long taskVersion, long startedAtMs, @Nullable String settledAs) {
        this(key, attemptId, taskVersion, startedAtMs, settledAs, null);
    }

    public boolean isOpen() {
        return settledAs == null;
    }

    /** Whether the platform is known to have done it. */
    public boolean isActed() {
        return settledAs != null && ACTED.contains(settledAs);
    }
}
