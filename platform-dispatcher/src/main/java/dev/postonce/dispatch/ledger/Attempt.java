package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.Job;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the effect ledger.
 *
 * @param shownKey what the post shows once this succeeded
 * @param trail how it is bound to others, and what was found out about it
 */
public record Attempt(UUID attemptId, String account, String shownKey, Job job, Trail trail) {

    /**
     * @param owner the instance that sends it
     * @param resendOf the attempt of which it repeats the request; null if it is the first
     * @param senderDoneAt since when its sender certainly sends nothing more
     * @param absentSeenAt first complete look-up that did not find it
     */
    public record Trail(
            UUID owner,
            @Nullable UUID resendOf,
            Instant firstStartedAt,
            @Nullable Instant senderDoneAt,
            @Nullable Instant absentSeenAt,
            int asked) {}

    public boolean isResend() {
        return trail.resendOf() != null;
    }
}
