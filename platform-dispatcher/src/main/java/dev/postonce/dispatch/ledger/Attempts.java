package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.target.TargetId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the effect ledger, and the names that attempts claim. Each call is part of the caller's transaction. */
interface Attempts {

    void insert(Attempt attempt, long token);

    Attempt get(UUID attemptId);

    /** What the sender learned; so it sends nothing any more. The first word stands. */
    void outcome(UUID attemptId, Outcome outcome);

    /** What a sender learned after its lease was taken over: noted, and proof that it is through. */
    void late(UUID attemptId, Outcome outcome);

    void settle(UUID attemptId, String how);

    /** @param absentSeenAt null keeps what is known */
    void asked(UUID attemptId, @Nullable Instant absentSeenAt);

    void senderDone(UUID attemptId, Instant at);

    /** Whether the name is this target's, now or before; of two that ask at once, one gets it. */
    boolean claimName(FrozenRequest.Claim claim, TargetId id);

    void releaseNames(TargetId id);
}
