package dev.postonce.dispatch.ledger;

import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.target.Plan;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.dispatch.target.Showing;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TargetChange;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What an outcome makes of its target. Pure, but for the jitter that it is given. */
public final class OutcomeRules {

    private final RetryDelays delays;
    private final Duration askFirst;
    private final int triesMax;
    private final RandomGenerator random;

    /**
     * The attempt that ended.
     *
     * @param resend whether an earlier try of the same request is still unknown: then only a success settles it
     */
    public record Ended(long taskVersion, String shownKey, boolean resend, Instant observedAt) {}

    /** How the attempt is settled; {@link #OPEN} leaves it frozen. */
    public enum Settled {
        OPEN,
        DONE,
        REFUSED,
        NOT_SENT
    }

    public OutcomeRules(RetryDelays delays, Duration askFirst, int triesMax, RandomGenerator random) {
        this.delays = delays;
        this.askFirst = askFirst;
        this.triesMax = triesMax;
        this.random = random;
    }

    public Settled apply(TargetChange change, Ended ended, Outcome outcome, Recovery recovery) {
        if (outcome instanceof Outcome.Published published) {
            String key = published.taskVersion() == ended.taskVersion()
                    ? ended.shownKey()
                    : "version:" + published.taskVersion();
            Showing showing =
                    new Showing(published.taskVersion(), key, published.postId(), published.url(), ended.observedAt());
            return succeed(change, TargetState.PUBLISHED, showing);
        } else if (outcome instanceof Outcome.TakenBack taken) {
            Showing before = change.target().showing();
            // Where a platform has no trash, a draft is as far back as it goes; it is not tried again for ever.
            String key = ended.shownKey().startsWith(Desired.ACTIVE) ? taken.status() : ended.shownKey();
            Showing showing = new Showing(ended.taskVersion(), key, taken.postId(), before.url(), ended.observedAt());
            return succeed(change, TargetState.WITHDRAWN, showing);
        } else if (outcome instanceof Outcome.Refused refused) {
            return refuse(change, ended, refused);
        } else if (outcome instanceof Outcome.UpdateUnsupported unsupported) {
            change.to(
                    TargetState.UPDATE_UNSUPPORTED,
                    target -> target.withPlan(target.plan().refused(ended.shownKey(), unsupported.code(), null)));
            return Settled.REFUSED;
        } else if (outcome instanceof Outcome.NotSent notSent) {
            return retry(change, ended, notSent.code(), notSent.detail(), delay(change));
        } else if (outcome instanceof Outcome.RateLimited limited) {
            Duration wait = delays.obeying(limited.retryAfter(), random);
            return retry(change, ended, "rate_limited", null, wait);
        }
        return doubt(change, (Outcome.Unknown) outcome, recovery);
    }

    private static Settled succeed(TargetChange change, TargetState state, Showing showing) {
        change.to(state, target -> target.withShowing(showing)
                .withPlan(target.plan().succeeded()));
        return Settled.DONE;
    }

    private Settled refuse(TargetChange change, Ended ended, Outcome.Refused refused) {
        if (ended.resend()) {
            // The first try may have succeeded before the platform changed its mind: "failed" would be a guess.
            park(change, "resend_" + refused.code(), refused.detail());
            return Settled.OPEN;
        }
        change.to(TargetState.FAILED, target -> withPost(target, refused.postId())
                .withPlan(target.plan().refused(ended.shownKey(), refused.code(), refused.detail())));
        return Settled.REFUSED;
    }

    private static Target withPost(Target target, @Nullable String postId) {
        Showing showing = target.showing();
        return postId == null || showing.hasPost()
                ? target
                : target.withShowing(new Showing(null, null, postId, showing.url(), null));
    }

    private Settled retry(TargetChange change, Ended ended, String code, @Nullable String detail, Duration wait) {
        Instant at = change.now().plus(wait);
        if (ended.resend()) {
            change.to(
                    TargetState.IN_DOUBT,
                    target -> triedAgain(target.withPlan(target.plan().inDoubt(at, code, detail))));
            return Settled.OPEN;
        }
        if (change.target().plan().tries() + 1 >= triesMax) {
            change.to(
                    TargetState.FAILED,
                    target -> target.withPlan(target.plan().refused(ended.shownKey(), "gave_up_" + code, detail)));
            return Settled.REFUSED;
        }
        change.to(TargetState.WAITING, target -> target.withPlan(target.plan().retryAt(at, code, detail)));
        return Settled.NOT_SENT;
    }

    private Settled doubt(TargetChange change, Outcome.Unknown unknown, Recovery recovery) {
        if (recovery instanceof Recovery.Neither) {
            park(change, unknown.code(), unknown.detail());
            return Settled.OPEN;
        }
        Duration wait = recovery instanceof Recovery.CanBeAsked ? askFirst : delay(change);
        change.to(
                TargetState.IN_DOUBT,
                target -> triedAgain(target.withPlan(
                        target.plan().inDoubt(change.now().plus(wait), unknown.code(), unknown.detail()))));
        return Settled.OPEN;
    }

    private static Target triedAgain(Target target) {
        Plan plan = target.plan();
        return target.withPlan(new Plan(
                plan.dueAt(),
                plan.notBefore(),
                plan.tries() + 1,
                plan.openAttempt(),
                plan.refusedKey(),
                plan.errorCode(),
                plan.errorDetail()));
    }

    private Duration delay(TargetChange change) {
        return delays.after(change.target().plan().tries(), random);
    }

    /** For a person; by way of in_doubt, since that is what it is. */
    static void park(TargetChange change, String code, @Nullable String detail) {
        if (change.target().state() == TargetState.RUNNING) {
            change.to(
                    TargetState.IN_DOUBT,
                    target -> target.withPlan(target.plan().inDoubt(null, code, detail)));
        }
        change.to(
                TargetState.AWAITING_OPERATOR,
                target -> target.withPlan(target.plan().inDoubt(null, code, detail)));
    }
}
