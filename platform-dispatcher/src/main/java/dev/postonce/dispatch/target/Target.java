package dev.postonce.dispatch.target;

import dev.postonce.contract.Digests;
import dev.postonce.contract.DispatchState;
import dev.postonce.contract.TargetState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One post's row.
 *
 * @param version +1 for each change that an event tells of
 */
public record Target(
        TargetId id,
        @Nullable String account,
        long version,
        TargetState state,
        Desired desired,
        Showing showing,
        Plan plan) {

    public Target withDesired(Desired next) {
        return new Target(id, account, version, state, next, showing, plan);
    }

    public Target withShowing(Showing next) {
        return new Target(id, account, version, state, desired, next, plan);
    }

    public Target withPlan(Plan next) {
        return new Target(id, account, version, state, desired, showing, next);
    }

    public Target withAccount(@Nullable String next) {
        return new Target(id, next, version, state, desired, showing, plan);
    }

    Target withState(TargetState next) {
        return new Target(id, account, version, next, desired, showing, plan);
    }

    Target withVersion(long next) {
        return new Target(id, account, next, state, desired, showing, plan);
    }

    /** The event's data: a function of the row and the moment of its change. */
    DispatchState toEvent(Instant changedAt) {
        DispatchState open = eventWith(changedAt, "");
        return eventWith(changedAt, Digests.ofState(open));
    }

    private DispatchState eventWith(Instant changedAt, String digest) {
        return new DispatchState(
                id.tenantId(),
                id.externalId(),
                id.platform().wireName(),
                account,
                version,
                false,
                desired.taskVersion(),
                showing.taskVersion(),
                state.wireName(),
                showing.postId(),
                showing.url(),
                showing.observedAt(),
                plan.errorCode(),
                plan.errorDetail(),
                changedAt,
                digest);
    }
}
