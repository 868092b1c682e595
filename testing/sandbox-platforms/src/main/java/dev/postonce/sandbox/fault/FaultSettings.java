package dev.postonce.sandbox.fault;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one platform.
 *
 * @param delayMs how long a delayed request or answer waits
 * @param delayBefore whether the delay comes before acting, rather than between acting and answering
 * @param retryAfterS what a 429 says in {@code Retry-After}; null = it does not say
 * @param serverErrorStatus the 5xx that is answered
 * @param serverErrorBefore whether the 5xx is answered instead of acting, rather than after it
 * @param allRequests whether look-ups suffer too; by default only what changes something does
 */
public record FaultSettings(
        Map<FaultKind, Chance> chances,
        int delayMs,
        boolean delayBefore,
        @Nullable Integer retryAfterS,
        int serverErrorStatus,
        boolean serverErrorBefore,
        boolean allRequests) {

    public static final FaultSettings NONE = new FaultSettings(Map.of(), 0, false, null, 503, true, false);

    private static final int DELAY_MS_MAX = 600_000;

    public FaultSettings {
        chances = Map.copyOf(chances);
        if (delayMs < 0 || delayMs > DELAY_MS_MAX) {
            throw new IllegalArgumentException("delay_ms is between 0 and " + DELAY_MS_MAX + ", not " + delayMs);
        }
        if (retryAfterS != null && retryAfterS < 0) {
            throw new IllegalArgumentException("retry_after_s is not negative, as " + retryAfterS + " is");
        }
        if (serverErrorStatus < 500 || serverErrorStatus > 599) {
            throw new IllegalArgumentException("status_5xx is a 5xx, not " + serverErrorStatus);
        }
    }

    public Chance chance(FaultKind kind) {
        return chances.getOrDefault(kind, Chance.NEVER);
    }

    /** The same with a fault that hits the next requests. */
    public FaultSettings withNext(FaultKind kind, int requests) {
        Map<FaultKind, Chance> changed = new EnumMap<>(FaultKind.class);
        changed.putAll(chances);
        changed.put(kind, new Chance(chance(kind).rate(), requests));
        return withChances(changed);
    }

    /** The same with a fault that hits a share of the requests. */
    public FaultSettings withRate(FaultKind kind, double rate) {
        Map<FaultKind, Chance> changed = new EnumMap<>(FaultKind.class);
        changed.putAll(chances);
        changed.put(kind, new Chance(rate, chance(kind).next()));
        return withChances(changed);
    }

    public FaultSettings withDelay(int ms, boolean beforeActing) {
        return new FaultSettings(
                chances, ms, beforeActing, retryAfterS, serverErrorStatus, serverErrorBefore, allRequests);
    }

    public FaultSettings withRetryAfter(int seconds) {
        return new FaultSettings(
                chances, delayMs, delayBefore, seconds, serverErrorStatus, serverErrorBefore, allRequests);
    }

    public FaultSettings withServerError(int status, boolean beforeActing) {
        return new FaultSettings(chances, delayMs, delayBefore, retryAfterS, status, beforeActing, allRequests);
    }

    public FaultSettings onAllRequests() {
        return new FaultSettings(
                chances, delayMs, delayBefore, retryAfterS, serverErrorStatus, serverErrorBefore, true);
    }

    private FaultSettings withChances(Map<FaultKind, Chance> changed) {
        return new FaultSettings(
                changed, delayMs, delayBefore, retryAfterS, serverErrorStatus, serverErrorBefore, allRequests);
    }
}
