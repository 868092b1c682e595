package dev.postonce.sandbox.fault;

import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with one request.
 *
 * @param kind null = nothing
 * @param forceSlugSuffix beside the kind: the slug counts as taken
 */
public record FaultDecision(@Nullable FaultKind kind, FaultSettings settings, boolean forceSlugSuffix) {

    public static final FaultDecision NOTHING = new FaultDecision(null, FaultSettings.NONE, false);

    public boolean is(FaultKind asked) {
        return kind == asked;
    }

    /** Whether the platform never gets to act. */
    public boolean preventsActing() {
        return is(FaultKind.DROP)
                || is(FaultKind.STATUS_429)
                || (is(FaultKind.STATUS_5XX) && settings.serverErrorBefore());
    }

    /** The word for the journal. */
    public String label() {
        if (kind == null) {
            return forceSlugSuffix ? FaultKind.FORCE_SLUG_SUFFIX.key() : "none";
        }
        return switch (kind) {
            case DELAY -> settings.delayBefore() ? "delay_before" : "delay_after";
            case STATUS_5XX -> settings.serverErrorBefore() ? "status_5xx_before" : "status_5xx_after";
            default -> kind.key();
        };
    }
}
