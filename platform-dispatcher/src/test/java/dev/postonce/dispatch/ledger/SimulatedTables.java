package dev.postonce.dispatch.ledger;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.dispatch.target.Targets;
import dev.postonce.dispatch.target.TaskKey;
import dev.postonce.dispatch.target.Tasks;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;

/**
 * The dispatcher's schema in memory, with what PostgreSQL promises of it: a transaction is written whole or not at
 * all, and a commit whose answer was lost is written all the same.
 */
class SimulatedTables implements Targets, Tasks, Attempts, PlatformTransactionManager {

    /** A row of {@code dispatch.target} with its claim. */
    record TargetRow(Target target, String groupCode, @Nullable UUID owner, long token, @Nullable Instant leaseUntil) {
        boolean claimable(Instant now) {
            Instant due = target.plan().dueAt();
            return due != null && !due.isAfter(now) && (leaseUntil == null || leaseUntil.isBefore(now));
        }
    }

    /** A row of {@code dispatch.attempt}. */
    record AttemptRow(
            Attempt attempt,
            @Nullable String outcome,
            @Nullable String settledAs,
            @Nullable Instant senderDoneAt,
            @Nullable Instant absentSeenAt,
            int asked) {}

    /** A row of {@code dispatch.instance}. */
    record InstanceRow(@Nullable Instant endedAt, Instant heartbeatAt) {}

    private record Snapshot(
            Map<TaskKey, Tasks.Told> tasks,
            Map<TargetId, TargetRow> targets,
            Map<UUID, AttemptRow> attempts,
            Map<FrozenRequest.Claim, TargetId> names,
            int told) {}

    private final Simulation simulation;
    private final Consumer<Target> onCommit;
    Map<TaskKey, Tasks.Told> tasks = new LinkedHashMap<>();
    Map<TargetId, TargetRow> targets = new LinkedHashMap<>();
    Map<UUID, AttemptRow> attempts = new LinkedHashMap<>();
    Map<FrozenRequest.Claim, TargetId> names = new LinkedHashMap<>();
    final Map<UUID, InstanceRow> instances = new LinkedHashMap<>();
    final List<DispatchState> told = new ArrayList<>();
    private final List<TargetId> changed = new ArrayList<>();
    private @Nullable Snapshot before;
    private long tokens;

    /** @param onCommit looks at each target that a commit has changed */
    SimulatedTables(Simulation simulation, Consumer<Target> onCommit) {
        this.simulation = simulation;
        this.onCommit = onCommit;
    }

    // What the claims' statements do, each a transaction of its own.

    List<Lease> claim(UUID owner, int limit, long leaseMs) {
        List<Lease> claimed = new ArrayList<>();
        for (TargetRow row : List.copyOf(targets.values())) {
            if (claimed.size() < limit && row.claimable(simulation.now())) {
                long token = ++tokens;
                TargetId id = row.target().id();
                targets.put(
                        id,
                        new TargetRow(
                                row.target(),
                                row.groupCode(),
                                owner,
                                token,
                                simulation.now().plusMillis(leaseMs)));
                claimed.add(new Lease(id, token, null, simulation.now(), simulation.nanos(), leaseMs));
            }
        }
        return claimed;
    }

    void renew(UUID owner, Collection<Lease> leases, long leaseMs) {
        for (Lease held : leases) {
            TargetRow row = targets.get(held.id());
            if (row != null && owner.equals(row.owner()) && row.token() == held.token()) {
                targets.put(
                        held.id(),
                        new TargetRow(
                                row.target(),
                                row.groupCode(),
                                owner,
                                row.token(),
                                simulation.now().plusMillis(leaseMs)));
                held.extend(simulation.nanos() + leaseMs * 1_000_000);
            }
        }
    }

    void endLeasesOf(UUID owner) {
        targets.replaceAll((id, row) -> owner.equals(row.owner())
                ? new TargetRow(row.target(), row.groupCode(), owner, row.token(), Instant.EPOCH)
                : row);
    }

    // Transactions.

    @Override
    public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
        if (simulation.fault(0.01)) {
            throw new DataAccessResourceFailureException("no connection");
        }
        before = new Snapshot(
                new LinkedHashMap<>(tasks),
                new LinkedHashMap<>(targets),
                new LinkedHashMap<>(attempts),
                new LinkedHashMap<>(names),
                told.size());
        changed.clear();
        return new SimpleTransactionStatus(true);
    }

    @Override
    public void commit(TransactionStatus status) {
        if (simulation.fault(0.01)) {
            rollback(status);
            throw new DataAccessResourceFailureException("the connection broke before the commit");
        }
        for (TargetId id : changed) {
            onCommit.accept(target(id));
        }
        if (simulation.fault(0.01)) {
            throw new DataAccessResourceFailureException("the connection broke after the commit");
        }
    }

    @Override
    public void rollback(TransactionStatus status) {
        Snapshot kept = before;
        if (kept != null) {
            tasks = kept.tasks;
            targets = kept.targets;
            attempts = kept.attempts;
            names = kept.names;
            told.subList(kept.told, told.size()).clear();
        }
    }

    // Targets and tasks.

    Target target(TargetId id) {
        TargetRow row = targets.get(id);
        if (row == null) {
            throw new AssertionError("no target " + id);
        }
        return row.target();
    }

    @Override
    public Instant databaseNow() {
        return simulation.now();
    }

    @Override
    public List<Target> lockOfTasks(Collection<TaskKey> keys) {
        return targets.values().stream()
                .map(TargetRow::target)
                .filter(target -> keys.contains(
                        new TaskKey(target.id().tenantId(), target.id().externalId())))
                .toList();
    }

    @Override
    public Optional<Leased> lockLeased(TargetId id, long token) {
        TargetRow row = targets.get(id);
        return row == null || row.token() != token
                ? Optional.empty()
                : Optional.of(new Leased(row.target(), row.groupCode(), simulation.now()));
    }

    @Override
    public void insert(List<Save> saves) {
        for (Save save : saves) {
            Target target = save.change().target();
            String group = String.valueOf(save.groupCode());
            Simulation.require(
                    targets.putIfAbsent(target.id(), new TargetRow(target, group, null, 0, null)) == null,
                    target.id() + " was inserted twice");
            changed.add(target.id());
            told.addAll(save.change().events());
        }
    }

    @Override
    public void update(List<Save> saves) {
        for (Save save : saves) {
            Target next = save.change().target();
            TargetRow row = targets.get(next.id());
            if (row == null) {
                throw new AssertionError("an update of no row");
            }
            follow(row.target(), save.change().events());
            String group = save.groupCode() == null ? row.groupCode() : save.groupCode();
            boolean release = save.releaseLease();
            targets.put(
                    next.id(),
                    new TargetRow(
                            next,
                            group,
                            release ? null : row.owner(),
                            release ? 0 : row.token(),
                            release ? null : row.leaseUntil()));
            changed.add(next.id());
            told.addAll(save.change().events());
        }
    }

    /** The transition table, and versions without a gap. */
    private static void follow(Target from, List<DispatchState> events) {
        TargetState state = from.state();
        long version = from.version();
        for (DispatchState event : events) {
            TargetState next = TargetState.of(event.state()).orElseThrow();
            Simulation.require(
                    next == state || state.mayBecome(next), from.id() + " went from " + state + " to " + next);
            Simulation.require(event.version() == ++version, from.id() + " skipped to version " + event.version());
            state = next;
        }
    }

    @Override
    public void upsert(List<Tasks.Told> newer) {
        for (Tasks.Told one : newer) {
            TaskKey key = new TaskKey(one.task().tenantId(), one.task().externalId());
            tasks.merge(
                    key, one, (old, next) -> old.task().version() < next.task().version() ? next : old);
        }
    }

    @Override
    public Optional<Known> find(TargetId id) {
        Tasks.Told found = tasks.get(new TaskKey(id.tenantId(), id.externalId()));
        return Optional.ofNullable(found)
                .map(one -> new Known(
                        one.task(), one.envelope().time(), one.envelope().traceparent()));
    }

    @Override
    public @Nullable String traceparentOf(TargetId id) {
        return null;
    }

    // Attempts.

    @Override
    public void insert(Attempt attempt, long token) {
        attempts.put(attempt.attemptId(), new AttemptRow(attempt, null, null, null, null, 0));
    }

    @Override
    public Attempt get(UUID attemptId) {
        AttemptRow row = row(attemptId);
        Attempt.Trail trail = row.attempt().trail();
        return new Attempt(
                attemptId,
                row.attempt().account(),
                row.attempt().shownKey(),
                row.attempt().job(),
                new Attempt.Trail(
                        trail.owner(),
                        trail.resendOf(),
                        trail.firstStartedAt(),
                        row.senderDoneAt(),
                        row.absentSeenAt(),
                        row.asked()));
    }

    private AttemptRow row(UUID attemptId) {
        AttemptRow row = attempts.get(attemptId);
        if (row == null) {
            throw new IllegalStateException("no attempt " + attemptId);
        }
        return row;
    }

    private void change(UUID attemptId, UnaryOperator<AttemptRow> how) {
        attempts.computeIfPresent(attemptId, (id, row) -> how.apply(row));
    }

    private Instant since(@Nullable Instant at) {
        return at == null ? simulation.now() : at;
    }

    @Override
    public void outcome(UUID attemptId, Outcome outcome) {
        change(
                attemptId,
                row -> row.outcome() != null
                        ? row
                        : new AttemptRow(
                                row.attempt(),
                                outcome.word(),
                                row.settledAs(),
                                since(row.senderDoneAt()),
                                row.absentSeenAt(),
                                row.asked()));
    }

    @Override
    public void late(UUID attemptId, Outcome outcome) {
        senderDone(attemptId, simulation.now());
    }

    @Override
    public void settle(UUID attemptId, String how) {
        change(
                attemptId,
                row -> row.settledAs() != null
                        ? row
                        : new AttemptRow(
                                row.attempt(),
                                row.outcome(),
                                how,
                                row.senderDoneAt(),
                                row.absentSeenAt(),
                                row.asked()));
    }

    @Override
    public void asked(UUID attemptId, @Nullable Instant absentSeenAt) {
        change(
                attemptId,
                row -> new AttemptRow(
                        row.attempt(),
                        row.outcome(),
                        row.settledAs(),
                        row.senderDoneAt(),
                        absentSeenAt == null ? row.absentSeenAt() : absentSeenAt,
                        row.asked() + 1));
    }

    @Override
    public void senderDone(UUID attemptId, Instant at) {
        change(
                attemptId,
                row -> row.senderDoneAt() != null
                        ? row
                        : new AttemptRow(
                                row.attempt(), row.outcome(), row.settledAs(), at, row.absentSeenAt(), row.asked()));
    }

    @Override
    public boolean claimName(FrozenRequest.Claim claim, TargetId id) {
        return names.computeIfAbsent(claim, key -> id).equals(id);
    }

    @Override
    public void releaseNames(TargetId id) {
        names.values().removeIf(id::equals);
    }
}
