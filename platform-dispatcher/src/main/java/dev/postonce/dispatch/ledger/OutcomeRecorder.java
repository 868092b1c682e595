package dev.postonce.dispatch.ledger;

import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.ledger.EffectLedger.LedgerTables;
import dev.postonce.dispatch.ledger.EffectLedger.Work;
import dev.postonce.dispatch.target.Plan;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.dispatch.target.TargetChange;
import dev.postonce.dispatch.target.TargetRules;
import dev.postonce.dispatch.target.Targets.Leased;
import dev.postonce.dispatch.target.Targets.Save;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes down what became of an attempt: its outcome, the target and the event in one transaction, guarded by the
 * lease's token. A sender that lost its lease moves nothing; that it is through is noted, since it is a proof.
 */
final class OutcomeRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);

    private final TransactionTemplate transactions;
    private final LedgerTables tables;
    private final Platforms platforms;
    private final OutcomeRules rules;
    private final LedgerSettings settings;
    private final RetryDelays delays;
    private final RandomGenerator random;

    OutcomeRecorder(
            TransactionTemplate transactions,
            LedgerTables tables,
            Platforms platforms,
            OutcomeRules rules,
            LedgerSettings settings,
            RetryDelays delays,
            RandomGenerator random) {
        this.transactions = transactions;
        this.tables = tables;
        this.platforms = platforms;
        this.rules = rules;
        this.settings = settings;
        this.delays = delays;
        this.random = random;
    }

    /** @return whether it counted; false if the lease was another's by then */
    boolean record(Lease lease, Work.Send work, Outcome outcome, Instant observedAt) {
        Attempt attempt = work.attempt();
        return Boolean.TRUE.equals(transactions.execute(status -> {
            Optional<Leased> leased = tables.targets().lockLeased(lease.id(), lease.token());
            if (leased.isEmpty()) {
                LOG.warn(
                        "a late {} for {} is noted, and moves nothing: its lease was taken over",
                        outcome.word(),
                        lease.id());
                tables.attempts().late(attempt.attemptId(), outcome);
                return false;
            }
            tables.attempts().outcome(attempt.attemptId(), outcome);
            TargetChange change =
                    TargetChange.of(leased.get().target(), leased.get().now());
            settle(change, attempt, outcome, work.connector().recovery(), observedAt);
            planAndSave(change, leased.get().groupCode());
            return true;
        }));
    }

    /** @param observedAt when the answer was there */
    void recordLookUp(Lease lease, Work.Ask work, LookUp lookUp, Instant observedAt) {
        transactions.executeWithoutResult(status -> {
            Optional<Leased> leased = tables.targets().lockLeased(lease.id(), lease.token());
            if (leased.isEmpty()) {
                return;
            }
            Recovery.CanBeAsked recovery =
                    (Recovery.CanBeAsked) work.connector().recovery();
            TargetChange change =
                    TargetChange.of(leased.get().target(), leased.get().now());
            Attempt attempt = work.attempt();
            Duration pause = delays.after(attempt.trail().asked(), random);
            DoubtRules.Verdict verdict = DoubtRules.afterAsk(
                    lookUp,
                    work.doubt(),
                    recovery.settling(),
                    lease.claimedAt(),
                    pause.compareTo(settings.pause()) < 0 ? settings.pause() : pause,
                    settings.inDoubtMax());
            apply(change, attempt, verdict, recovery, observedAt);
            planAndSave(change, leased.get().groupCode());
        });
    }

    private void apply(
            TargetChange change, Attempt attempt, DoubtRules.Verdict verdict, Recovery recovery, Instant observedAt) {
        UUID id = attempt.attemptId();
        boolean parked = change.target().state() == TargetState.AWAITING_OPERATOR;
        if (verdict instanceof DoubtRules.Verdict.Settle settle) {
            settle(change, attempt, settle.outcome(), recovery, observedAt);
        } else if (verdict instanceof DoubtRules.Verdict.AbsenceProved) {
            tables.attempts().asked(id, null);
            tables.attempts().settle(id, "absent");
            Plan free = change.target().plan().retryAt(change.now(), "absent", null);
            change.to(parked ? TargetState.PENDING : TargetState.WAITING, target -> target.withPlan(free));
        } else if (verdict instanceof DoubtRules.Verdict.AskAgain again) {
            tables.attempts().asked(id, again.absentSeenAt());
            change.quietly(target -> target.withPlan(target.plan().dueAt(again.at())));
        } else if (verdict instanceof DoubtRules.Verdict.Park park) {
            tables.attempts().asked(id, null);
            if (!parked) {
                LOG.warn(
                        "{} waits for a person: attempt {} cannot be settled ({})",
                        change.target().id(),
                        id,
                        park.code());
                OutcomeRules.park(change, park.code(), null);
            }
            Instant reask = change.now().plus(settings.reask());
            change.quietly(target -> target.withPlan(target.plan().dueAt(reask)));
        }
    }

    private void settle(TargetChange change, Attempt attempt, Outcome outcome, Recovery recovery, Instant observedAt) {
        OutcomeRules.Ended ended =
                new OutcomeRules.Ended(attempt.job().taskVersion(), attempt.shownKey(), attempt.isResend(), observedAt);
        OutcomeRules.Settled settled = rules.apply(change, ended, outcome, recovery);
        if (settled == OutcomeRules.Settled.OPEN) {
            return;
        }
        tables.attempts().settle(attempt.attemptId(), settled.name().toLowerCase(Locale.ROOT));
        if (settled == OutcomeRules.Settled.REFUSED
                && !change.target().showing().hasPost()) {
            tables.attempts().releaseNames(change.target().id());
        }
    }

    /** What was accepted while the attempt was frozen comes next. */
    private void planAndSave(TargetChange change, String groupCode) {
        if (change.target().plan().openAttempt() == null) {
            AccountBook.Choice choice = platforms.choose(change.target().id(), groupCode);
            TargetRules.plan(change, choice instanceof AccountBook.Choice.Missing missing ? missing.errorCode() : null);
        }
        String traceparent = change.events().isEmpty()
                ? null
                : tables.tasks().traceparentOf(change.target().id());
        tables.targets().update(List.of(new Save(change, null, true, traceparent)));
    }
}
