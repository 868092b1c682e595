package dev.postonce.invariants;

import dev.postonce.contract.TargetState;
import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.PostFact;
import dev.postonce.invariants.facts.TargetFact;
import dev.postonce.invariants.facts.TargetFacts;
import dev.postonce.invariants.facts.TargetKey;
import org.jspecify.annotations.Nullable;

/** I8: what the ledger and the board say of a target agrees with what the platform has. */
final class TruthfulStatus implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I8;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (TargetFacts target : facts.targets()) {
            findings.checked();
            DispatchTargetFact dispatch = target.dispatch();
            if (dispatch != null) {
                ledger(target, dispatch, facts, findings);
                if (facts.coverage().platforms().contains(target.key().platform())) {
                    platform(target, dispatch, facts, findings);
                }
            }
            board(target, dispatch, facts, findings);
        }
        return findings.result();
    }

    private static void ledger(TargetFacts target, DispatchTargetFact dispatch, Facts facts, Findings findings) {
        if (is(dispatch.state(), TargetState.PUBLISHED) && dispatch.observedAtMs() == null) {
            findings.add(ViolationKind.UNTRUE, target.key(), "published, but never observed");
        }
        AttemptFact open = openAttempt(target);
        boolean claimsAnEnd = is(dispatch.state(), TargetState.PUBLISHED)
                || is(dispatch.state(), TargetState.FAILED)
                || is(dispatch.state(), TargetState.WITHDRAWN);
        if (open != null && claimsAnEnd && facts.window().settled(open.startedAtMs())) {
            findings.add(
                    ViolationKind.UNTRUE,
                    target.key(),
                    dispatch.state() + ", but the outcome of attempt " + open.attemptId() + " is not known");
        }
    }

    private static void platform(TargetFacts target, DispatchTargetFact dispatch, Facts facts, Findings findings) {
        if (!facts.window().settled(dispatch.updatedAtMs())) {
            findings.inFlight();
            return;
        }
        PostFact live = livePost(target);
        if (is(dispatch.state(), TargetState.PUBLISHED)) {
            long acted = newestActed(target);
            if (live == null) {
                findings.add(
                        target.posts().isEmpty() ? ViolationKind.MISSING : ViolationKind.UNTRUE,
                        target.key(),
                        "published, but the platform shows no such post");
            } else if (live.taskVersion() != null && live.taskVersion() < acted) {
                findings.add(
                        ViolationKind.STALE,
                        target.key(),
                        OnePost.place(live) + " shows version " + live.taskVersion() + " instead of " + acted);
            }
        } else if (is(dispatch.state(), TargetState.WITHDRAWN) && live != null) {
            findings.add(ViolationKind.UNTRUE, target.key(), "withdrawn, but " + OnePost.place(live) + " is live");
        } else if (is(dispatch.state(), TargetState.FAILED) && live != null && dispatch.shownTaskVersion() == null) {
            findings.add(ViolationKind.UNTRUE, target.key(), "failed, but " + OnePost.place(live) + " exists");
        }
    }

    private static void board(
            TargetFacts target, @Nullable DispatchTargetFact dispatch, Facts facts, Findings findings) {
        TargetFact shown = target.shown();
        if (shown == null) {
            if (dispatch != null && facts.window().settled(dispatch.updatedAtMs())) {
                findings.add(ViolationKind.EXTRA, target.key(), "dispatched, but no task has this target");
            }
            return;
        }
        if (dispatch == null) {
            if (facts.window().settled(shown.updatedAtMs())) {
                unlessParked(
                        target.key(),
                        facts,
                        findings,
                        ViolationKind.MISSING,
                        "accepted, but the dispatcher has it not");
            }
            return;
        }
        long told = shown.dispatchVersion() == null ? 0 : shown.dispatchVersion();
        if (told > dispatch.version()) {
            findings.add(
                    ViolationKind.UNTRUE,
                    target.key(),
                    "the board tells state " + told + ", the dispatcher is at " + dispatch.version());
        } else if (told == dispatch.version()) {
            if (!shown.state().equals(dispatch.state())) {
                findings.add(
                        ViolationKind.UNTRUE,
                        target.key(),
                        "the board says " + shown.state() + ", the dispatcher " + dispatch.state());
            }
        } else if (facts.window().settled(dispatch.updatedAtMs())) {
            unlessParked(
                    target.key(),
                    facts,
                    findings,
                    ViolationKind.STALE,
                    "the board says " + shown.state() + ", since then it is " + dispatch.state());
        }
    }

    private static void unlessParked(
            TargetKey key, Facts facts, Findings findings, ViolationKind kind, String explanation) {
        String task = key.tenantId() + ":" + key.externalId();
        AggregateFacts ofTarget = facts.of(new AggregateKey(AggregateKey.Kind.TARGET, task + "/" + key.platform()));
        AggregateFacts ofTask = facts.of(new AggregateKey(AggregateKey.Kind.TASK, task));
        if (parked(ofTarget) || parked(ofTask)) {
            findings.explained();
        } else {
            findings.add(kind, key, explanation);
        }
    }

    private static boolean parked(@Nullable AggregateFacts aggregate) {
        return aggregate != null && aggregate.parked().stream().anyMatch(reason -> reason.by() != ParkedFact.By.INDEX);
    }

    private static @Nullable AttemptFact openAttempt(TargetFacts target) {
        for (AttemptFact attempt : target.attempts()) {
            if (attempt.isOpen()) {
                return attempt;
            }
        }
        return null;
    }

    /** A later version that looks the same needs no sending, so the post may carry a lower one than the task has. */
    private static long newestActed(TargetFacts target) {
        long newest = 0;
        for (AttemptFact attempt : target.attempts()) {
            if (attempt.isActed()) {
                newest = Math.max(newest, attempt.taskVersion());
            }
        }
        return newest;
    }

    private static @Nullable PostFact livePost(TargetFacts target) {
        for (PostFact post : target.posts()) {
            if (post.live()) {
                return post;
            }
        }
        return null;
    }

    private static boolean is(String word, TargetState state) {
        return state.wireName().equals(word);
    }
}
