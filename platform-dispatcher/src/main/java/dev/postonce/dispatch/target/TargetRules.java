package dev.postonce.dispatch.target;

import dev.postonce.contract.TargetState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Desired against shown: what to do next, and what that makes of the target. Pure. */
public final class TargetRules {

    private TargetRules() {}

    /**
     * @param missing why there is no account to send with; null if there is one
     */
    public static NextStep next(Target target, @Nullable String missing, Instant now) {
        if (target.plan().openAttempt() != null) {
            // Frozen: what it did must be known before anything else may be sent.
            return new NextStep.Rest();
        }
        Desired desired = target.desired();
        return switch (target.state()) {
            case RUNNING, IN_DOUBT, AWAITING_OPERATOR, PAUSED -> new NextStep.Rest();
            case PUBLISHED, SUBMITTED ->
                desired.key().equals(target.showing().key()) ? shown(target) : go(target, missing, now);
            case WITHDRAWN -> withdrawn(target, missing, now);
            case FAILED, UPDATE_UNSUPPORTED ->
                desired.key().equals(target.plan().refusedKey()) ? new NextStep.Rest() : go(target, missing, now);
            case NOT_CONFIGURED, PENDING, WAITING -> go(target, missing, now);
        };
    }

    private static NextStep withdrawn(Target target, @Nullable String missing, Instant now) {
        boolean same = target.desired().key().equals(target.showing().key());
        // A post that was taken back stays so, also when its task is withdrawn anew and would keep it.
        boolean stays = !target.desired().active()
                && (!target.showing().hasPost() || target.desired().visible());
        return same || stays ? shown(target) : go(target, missing, now);
    }

    private static NextStep shown(Target target) {
        Long version = target.showing().taskVersion();
        boolean moves = version != null && version != target.desired().taskVersion();
        return moves ? new NextStep.MoveShown() : new NextStep.Rest();
    }

    private static NextStep go(Target target, @Nullable String missing, Instant now) {
        Desired desired = target.desired();
        boolean hasPost = target.showing().hasPost();
        if (!desired.active() && !hasPost) {
            return new NextStep.TakeBackUnseen();
        }
        if (missing != null) {
            return new NextStep.NotConfigured(missing);
        }
        Instant publishAt = desired.publishAt();
        if (desired.active() && publishAt != null && publishAt.isAfter(now)) {
            return new NextStep.WaitUntil(publishAt);
        }
        return new NextStep.Send(!desired.visible() ? Action.WITHDRAW : hasPost ? Action.UPDATE : Action.CREATE);
    }

    /** Brings the target into the state in which its next step waits for a worker, or rests. */
    public static void plan(TargetChange change, @Nullable String missing) {
        Target target = change.target();
        NextStep next = next(target, missing, change.now());
        if (next instanceof NextStep.MoveShown) {
            change.tell(current -> current.withShowing(
                    current.showing().atVersion(current.desired().taskVersion())));
        } else if (next instanceof NextStep.TakeBackUnseen) {
            change.to(TargetState.WITHDRAWN, current -> current.withPlan(Plan.NEW));
        } else if (next instanceof NextStep.NotConfigured lacking) {
            if (target.state() != TargetState.NOT_CONFIGURED
                    || !lacking.errorCode().equals(target.plan().errorCode())) {
                change.to(
                        TargetState.NOT_CONFIGURED,
                        current -> current.withPlan(current.plan().restingWith(lacking.errorCode())));
            }
        } else if (next instanceof NextStep.WaitUntil wait) {
            waitUntil(change, wait.at());
        } else if (next instanceof NextStep.Send) {
            planSend(change);
        }
    }

    private static void planSend(TargetChange change) {
        Instant notBefore = change.target().plan().notBefore();
        if (notBefore != null && notBefore.isAfter(change.now())) {
            waitUntil(change, notBefore);
        } else if (change.target().state() == TargetState.WAITING) {
            change.quietly(current -> current.withPlan(current.plan().dueAt(change.now())));
        } else if (change.target().state() == TargetState.PENDING) {
            change.quietly(current -> current.withPlan(current.plan().dueAt(change.now())));
        } else {
            change.to(TargetState.PENDING, current -> current.withPlan(Plan.NEW.dueAt(change.now())));
        }
    }

    private static void waitUntil(TargetChange change, Instant at) {
        if (change.target().state() == TargetState.WAITING) {
            change.quietly(current -> current.withPlan(current.plan().dueAt(at)));
        } else {
            change.to(
                    TargetState.WAITING,
                    current -> current.withPlan(current.plan().dueAt(at)));
        }
    }
}
