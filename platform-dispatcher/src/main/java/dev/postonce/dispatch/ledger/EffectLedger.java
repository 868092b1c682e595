package dev.postonce.dispatch.ledger;

import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.target.NextStep;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TargetChange;
import dev.postonce.dispatch.target.TargetRules;
import dev.postonce.dispatch.target.Targets;
import dev.postonce.dispatch.target.Targets.Leased;
import dev.postonce.dispatch.target.Targets.Save;
import dev.postonce.dispatch.target.Tasks;
import dev.postonce.runtime.Ids;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Decides under a lease what is done, and writes it down before it is done. Each method is one transaction, guarded
 * by the lease's token; none spans a network call.
 */
final class EffectLedger {

    private final TransactionTemplate transactions;
    private final LedgerTables tables;
    private final Platforms platforms;
    private final Senders instances;
    private final InFlight inFlight;
    private final LedgerSettings settings;
    private final Ids ids;

    /** The rows that a decision reads and writes. */
    record LedgerTables(Targets targets, Tasks tasks, Attempts attempts) {}

    /** What a worker does next, outside of any transaction. */
    sealed interface Work {

        record Nothing() implements Work {}

        record Send(Attempt attempt, Connector connector, Account account) implements Work {}

        record Ask(Attempt attempt, Connector connector, Account account, DoubtRules.Doubt doubt) implements Work {}
    }

    private static final Work NOTHING = new Work.Nothing();

    EffectLedger(
            TransactionTemplate transactions,
            LedgerTables tables,
            Platforms platforms,
            Senders instances,
            InFlight inFlight,
            LedgerSettings settings,
            Ids ids) {
        this.transactions = transactions;
        this.tables = tables;
        this.platforms = platforms;
        this.instances = instances;
        this.inFlight = inFlight;
        this.settings = settings;
        this.ids = ids;
    }

    Work begin(Lease lease) {
        Work work = transactions.execute(status -> {
            Optional<Leased> leased = tables.targets().lockLeased(lease.id(), lease.token());
            if (leased.isEmpty()) {
                return NOTHING;
            }
            UUID open = leased.get().target().plan().openAttempt();
            return open == null
                    ? beginFresh(lease, leased.get())
                    : resume(lease, leased.get(), tables.attempts().get(open));
        });
        return work == null ? NOTHING : work;
    }

    private Work beginFresh(Lease lease, Leased leased) {
        Target target = leased.target();
        TargetChange change = TargetChange.of(target, leased.now());
        Choice choice = choose(target, leased.groupCode());
        NextStep next = TargetRules.next(target, choice.missing(), leased.now());
        Instant notBefore = target.plan().notBefore();
        boolean early = notBefore != null && notBefore.isAfter(leased.now());
        if (next instanceof NextStep.Send send && choice.account() != null && !early) {
            return beginAttempt(lease, change, send.action(), choice.account());
        }
        TargetRules.plan(change, choice.missing());
        boolean waits = change.target().state() == TargetState.WAITING;
        if (!waits) {
            change.quietly(current -> current.withPlan(current.plan().dueAt(null)));
        }
        save(change, true);
        return NOTHING;
    }

    private Work beginAttempt(Lease lease, TargetChange change, Action action, Account account) {
        Target target = change.target();
        Tasks.Known known = tables.tasks()
                .find(target.id())
                .orElseThrow(() -> new IllegalStateException(target.id() + " has no task; it is tried again later"));
        Connector connector = platforms.connector(target.id().platform()).orElseThrow();
        String postId = target.showing().postId();
        FrozenRequest request =
                connector.freeze(new Effect(target.id(), action, known.task(), known.occurredAt(), postId), account);
        FrozenRequest.Claim claim = request.claim();
        if (claim != null && !tables.attempts().claimName(claim, target.id())) {
            String key = target.desired().key();
            change.to(
                    TargetState.FAILED,
                    current -> current.withPlan(current.plan()
                            .refused(key, "slug_taken", "another task holds this slug on the same site")));
            save(change, true);
            return NOTHING;
        }
        Job job = new Job(target.id(), action, known.task().version(), postId, request);
        Attempt attempt = new Attempt(
                ids.next(),
                account.name(),
                Desired.of(known.task()).key(),
                job,
                new Attempt.Trail(instances.id(), null, change.now(), null, null, 0));
        write(lease, change, attempt);
        return new Work.Send(attempt, connector, account);
    }

    private void write(Lease lease, TargetChange change, Attempt attempt) {
        inFlight.mayStillSend(attempt.attemptId(), lease);
        tables.attempts().insert(attempt, lease.token());
        change.to(TargetState.RUNNING, current -> current.withAccount(attempt.account())
                .withPlan(current.plan().attempting(attempt.attemptId(), change.now())));
        save(change, false);
    }

    /** An attempt without a settled outcome: nothing new is sent before it is known what it did. */
    private Work resume(Lease lease, Leased leased, Attempt attempt) {
        Target target = leased.target();
        TargetChange change = TargetChange.of(target, leased.now());
        if (target.state() == TargetState.RUNNING) {
            change.to(
                    TargetState.IN_DOUBT,
                    current -> current.withPlan(current.plan().inDoubt(change.now(), "sender_lost", null)));
        }
        Optional<Account> account = platforms.named(target.id(), attempt.account());
        Optional<Connector> connector = platforms.connector(target.id().platform());
        if (account.isEmpty() || connector.isEmpty()) {
            Instant later = change.now().plus(settings.reask());
            change.quietly(current -> current.withPlan(current.plan().inDoubt(later, "account_missing", null)));
            save(change, true);
            return NOTHING;
        }
        Instant firstStartedAt = attempt.trail().firstStartedAt();
        switch (DoubtRules.next(connector.get().recovery(), firstStartedAt, change.now())) {
            case RESEND -> {
                Attempt again = resendOf(attempt);
                tables.attempts().settle(attempt.attemptId(), "resent");
                write(lease, change, again);
                return new Work.Send(again, connector.get(), account.get());
            }
            case ASK -> {
                DoubtRules.Doubt doubt = doubtOf(target, attempt, change.now());
                save(change, false);
                return new Work.Ask(attempt, connector.get(), account.get(), doubt);
            }
            default -> {
                if (change.target().state() != TargetState.AWAITING_OPERATOR) {
                    OutcomeRules.park(change, "outcome_unknown", null);
                }
                change.quietly(current -> current.withPlan(current.plan().dueAt(null)));
                save(change, true);
                return NOTHING;
            }
        }
    }

    private Attempt resendOf(Attempt attempt) {
        return new Attempt(
                ids.next(),
                attempt.account(),
                attempt.shownKey(),
                attempt.job(),
                new Attempt.Trail(
                        instances.id(), attempt.attemptId(), attempt.trail().firstStartedAt(), null, null, 0));
    }

    private DoubtRules.Doubt doubtOf(Target target, Attempt attempt, Instant now) {
        Attempt.Trail trail = attempt.trail();
        Instant done = trail.senderDoneAt();
        boolean alive = false;
        if (done == null) {
            boolean ownThread = trail.owner().equals(instances.id());
            Senders.Fate fate = instances.fateOf(trail.owner(), settings.stale());
            alive = fate.alive();
            done = ownThread ? (inFlight.sends(attempt.attemptId()) ? null : now) : fate.doneAt();
            if (done != null) {
                tables.attempts().senderDone(attempt.attemptId(), done);
            }
        }
        return new DoubtRules.Doubt(
                trail.firstStartedAt(),
                done,
                alive,
                trail.absentSeenAt(),
                target.showing().isHidden());
    }

    private void save(TargetChange change, boolean release) {
        String traceparent = change.events().isEmpty()
                ? null
                : tables.tasks().traceparentOf(change.target().id());
        tables.targets().update(List.of(new Save(change, null, release, traceparent)));
    }

    private record Choice(@Nullable Account account, @Nullable String missing) {}

    /** A post stays with its account; only one that is not there yet follows the accounts file. */
    private Choice choose(Target target, String groupCode) {
        String account = target.account();
        if (account != null && target.showing().hasPost()) {
            return platforms
                    .named(target.id(), account)
                    .map(found -> new Choice(found, null))
                    .orElseGet(() -> new Choice(null, "account_missing"));
        }
        AccountBook.Choice choice = platforms.choose(target.id(), groupCode);
        return choice instanceof AccountBook.Choice.Found found
                ? new Choice(found.account(), null)
                : new Choice(null, ((AccountBook.Choice.Missing) choice).errorCode());
    }
}
