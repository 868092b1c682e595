package dev.postonce.messaging;

import org.jspecify.annotations.Nullable;

/** What the version gate says of one event, for one consumer. */
public enum GateDecision {
    /** Newer than all that was applied: apply it. */
    APPLY,
    /** This event, or the same state at the same version, was applied or skipped before: done. */
    DUPLICATE,
    /** Older than what was applied: the newer state already holds it, done. */
    STALE,
    /** Another content at the same version: one of the two is a lie. Alarm, and park. */
    CONFLICT;

    /**
     * The rule of the gate.
     *
     * @param eventIdSeen whether this consumer has recorded the event id as applied or superseded; a parked one
     *     does not count, so that a redrive passes
     * @param watermark what was last applied for the key; null if nothing
     */
    public static GateDecision decide(
            boolean eventIdSeen, @Nullable Watermark watermark, long version, String contentDigest) {
        if (eventIdSeen) {
            return DUPLICATE;
        }
        if (watermark == null || version > watermark.version()) {
            return APPLY;
        }
        if (version < watermark.version()) {
            return STALE;
        }
        return watermark.contentDigest().equals(contentDigest) ? DUPLICATE : CONFLICT;
    }

    /** The newest state that a consumer applied for a key. Kept for ever, past any replay. */
    public record Watermark(long version, String contentDigest) {}
}
