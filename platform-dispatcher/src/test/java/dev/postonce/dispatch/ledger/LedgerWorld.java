package dev.postonce.dispatch.ledger;

import static dev.postonce.testinfra.simulation.Simulation.require;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.intake.TargetPlanner;
import dev.postonce.dispatch.ledger.EffectLedger.LedgerTables;
import dev.postonce.dispatch.ledger.SimulatedTables.AttemptRow;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TaskKey;
import dev.postonce.dispatch.target.Tasks.Told;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Some dispatchers, three platforms, an upstream that changes its mind; then quiet. Rules are looked at with every
 * commit and every request, and the end is compared with what the platforms hold.
 */
final class LedgerWorld {

    private static final long TROUBLE_MS = 120_000;
    private static final long REST_MS_MAX = 30 * 60_000;
    private static final long STILL_MS = 90_000;

    final Simulation simulation;
    final SimulatedTables tables;
    final Platforms platforms;
    private final Map<Platform, SimulatedPlatform> byPlatform = new LinkedHashMap<>();
    private final List<SimulatedDispatcher> dispatchers = new ArrayList<>();
    private final Set<UUID> unknown = new LinkedHashSet<>();
    final Sabotage sabotage;
    /** How often and how long a process stands still between two steps of a send: another mixture in each world. */
    final double stopChance;

    final long stopMsMax;
    private long ids;

    /**
     * A planted bug.
     *
     * @param tables broken tables in the place of the right ones
     * @param silenceIsProof a sender whose heartbeat stopped counts as gone
     * @param neitherRetries a platform that neither dedupes nor can be asked is taken for one that dedupes
     * @param noSettling absence counts as proved without the settling time
     */
    record Sabotage(
            UnaryOperator<LedgerTables> tables, boolean silenceIsProof, boolean neitherRetries, boolean noSettling) {
        static final Sabotage NONE = new Sabotage(UnaryOperator.identity(), false, false, false);

        static Sabotage of(UnaryOperator<LedgerTables> tables) {
            return new Sabotage(tables, false, false, false);
        }
    }

    LedgerWorld(Simulation simulation, Sabotage sabotage) {
        this.simulation = simulation;
        this.sabotage = sabotage;
        this.stopChance = simulation.pick(List.of(0.1, 0.4, 0.8));
        this.stopMsMax = simulation.pick(List.of(20_000L, 60_000L, 90_000L));
        this.tables = new SimulatedTables(simulation, this::look);
        Duration settling = sabotage.noSettling() ? Duration.ZERO : SimulatedPlatform.SETTLING;
        Recovery.DedupesByKey byKey = new Recovery.DedupesByKey(SimulatedPlatform.WINDOW);
        add(Platform.WORDPRESS, new Recovery.CanBeAsked(settling), false);
        add(Platform.WEBHOOK, byKey, true);
        add(Platform.ZHIHU, sabotage.neitherRetries() ? byKey : new Recovery.Neither(), false);
        this.platforms = new Platforms(List.copyOf(byPlatform.values()), new OneAccount());
    }

    private void add(Platform platform, Recovery recovery, boolean dedupes) {
        byPlatform.put(platform, new SimulatedPlatform(simulation, platform, recovery, dedupes));
    }

    static void run(Simulation simulation) {
        run(simulation, Sabotage.NONE);
    }

    static void run(Simulation simulation, Sabotage sabotage) {
        LedgerWorld world = new LedgerWorld(simulation, sabotage);
        world.start(true);
        world.start(true);
        if (simulation.chance(0.3)) {
            world.start(false);
        }
        SimulatedUpstream upstream = new SimulatedUpstream(world);
        for (int task = 1; task <= 2; task++) {
            upstream.begin("task-" + task, TROUBLE_MS / 3);
        }
        world.trouble();
        simulation.runUntil(TROUBLE_MS);
        world.calm();
        world.comeToRest();
        world.audit();
    }

    /** Until nothing is due, held or on its way; and then a while longer, in which it must stay so. */
    private void comeToRest() {
        long still = 0;
        while (simulation.nowMs() < TROUBLE_MS + REST_MS_MAX && still < STILL_MS) {
            simulation.runUntil(simulation.nowMs() + 10_000);
            still = isStill() ? still + 10_000 : 0;
        }
    }

    private boolean isStill() {
        return tables.targets.values().stream()
                        .noneMatch(row -> row.target().plan().dueAt() != null)
                && byPlatform.values().stream().noneMatch(SimulatedPlatform::isAnyFlying)
                && dispatchers.stream().allMatch(SimulatedDispatcher::isIdle);
    }

    private void start(boolean sameHost) {
        dispatchers.add(new SimulatedDispatcher(this, sameHost));
    }

    private void trouble() {
        simulation.after(simulation.delayMs(500, 20_000), () -> {
            if (simulation.isCalm()) {
                return;
            }
            List<SimulatedDispatcher> running =
                    dispatchers.stream().filter(one -> !one.isGone()).toList();
            if (running.isEmpty()) {
                start(true);
                trouble();
                return;
            }
            SimulatedDispatcher victim = simulation.pick(running);
            if (simulation.chance(0.35)) {
                victim.kill();
                simulation.after(simulation.delayMs(100, 20_000), () -> start(victim.sameHost));
            } else {
                victim.stopFor(simulation.delayMs(1_000, 60_000));
            }
            if (running.size() > 1) {
                trouble();
            } else {
                simulation.after(8_000, this::trouble);
            }
        });
    }

    private void calm() {
        simulation.calmDown();
        for (SimulatedDispatcher one : dispatchers) {
            if (!one.isGone()) {
                one.wake();
            }
        }
        start(true);
    }

    void plan(Told told) {
        new TransactionTemplate(tables)
                .executeWithoutResult(status -> new TargetPlanner(tables, tables, platforms).plan(List.of(told)));
    }

    UUID nextId() {
        return new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0000L | ++ids);
    }

    SimulatedPlatform platform(Platform platform) {
        return Optional.ofNullable(byPlatform.get(platform)).orElseThrow();
    }

    boolean isGoneOnThatHost(UUID owner) {
        return dispatchers.stream().anyMatch(one -> one.id.equals(owner) && one.sameHost && one.isGone());
    }

    void endTheDeadSeenBy(SimulatedDispatcher seer) {
        if (!seer.sameHost) {
            return;
        }
        for (SimulatedDispatcher one : dispatchers) {
            SimulatedTables.InstanceRow row = tables.instances.get(one.id);
            if (one.sameHost && one.isGone() && row != null && row.endedAt() == null) {
                tables.instances.put(one.id, new SimulatedTables.InstanceRow(simulation.now(), row.heartbeatAt()));
                tables.endLeasesOf(one.id);
            }
        }
    }

    long untilNextDueMs() {
        long next = 60_000;
        for (SimulatedTables.TargetRow row : tables.targets.values()) {
            Instant due = row.target().plan().dueAt();
            if (due != null) {
                Instant free = row.leaseUntil() == null || row.leaseUntil().isBefore(due) ? due : row.leaseUntil();
                next = Math.min(next, free.toEpochMilli() - simulation.now().toEpochMilli() + 1);
            }
        }
        return Math.max(next, 100);
    }

    // What must hold at each moment.

    /** The row of an attempt is committed before its first byte leaves, and nobody resends what may have acted. */
    void bytesLeave(SimulatedDispatcher sender, Attempt attempt) {
        AttemptRow row = tables.attempts.get(attempt.attemptId());
        simulation.note(sender.name() + " sends " + attempt.job().action() + " "
                + attempt.job().id() + " v" + attempt.job().taskVersion());
        require(
                row != null,
                () -> "bytes left before their attempt was written down: "
                        + attempt.job().id());
        if (attempt.job().id().platform() == Platform.ZHIHU) {
            require(
                    unknown.stream()
                            .map(tables.attempts::get)
                            .noneMatch(other -> other != null
                                    && other.attempt()
                                            .job()
                                            .id()
                                            .equals(attempt.job().id())),
                    () -> "sent again by itself after an unknown outcome: "
                            + attempt.job().id());
        }
    }

    void ended(Attempt attempt, Outcome outcome) {
        if (outcome instanceof Outcome.Unknown) {
            unknown.add(attempt.attemptId());
        }
    }

    /** After each commit: what is claimed is so, and what is settled stays so. */
    private void look(Target target) {
        long open = tables.attempts.values().stream()
                .filter(row -> row.attempt().job().id().equals(target.id()) && row.settledAs() == null)
                .count();
        require(open <= 1, () -> target.id() + " has " + open + " attempts open at once");
        if (target.plan().openAttempt() != null) {
            return;
        }
        SimulatedPlatform platform = platform(target.id().platform());
        SimulatedPlatform.Post post = platform.posts.get(target.id().marker());
        require(
                platform.dedupes() || !platform.isFlying(target.id().marker()),
                () -> target.id() + " counts as settled while a request of it may still act");
        if (target.state() == TargetState.PUBLISHED) {
            require(post != null && post.live, () -> target.id() + " claims a post that is not there");
            require(target.showing().observedAt() != null, () -> target.id() + " was never observed");
            require(
                    post.taskVersion
                            <= Optional.ofNullable(target.showing().taskVersion())
                                    .orElse(0L),
                    () -> target.id() + " claims an older version than readers see");
        } else if (target.state() == TargetState.WITHDRAWN) {
            require(post == null || !post.live, () -> target.id() + " claims to be taken back, and is out");
        } else if (target.state() == TargetState.FAILED && !target.showing().hasPost()) {
            require(post == null, () -> target.id() + " claims to have failed, and is out");
        }
    }

    // What must hold when nothing moves any more.

    private void audit() {
        for (SimulatedTables.TargetRow row : tables.targets.values()) {
            Target target = row.target();
            String desired = target.desired().key();
            switch (target.state()) {
                case PUBLISHED, WITHDRAWN ->
                    require(
                            target.state() == TargetState.PUBLISHED
                                    ? desired.equals(target.showing().key())
                                    : !target.desired().active(),
                            () -> target.id() + " rests at " + target.showing() + " instead of " + target.desired());
                case FAILED, UPDATE_UNSUPPORTED ->
                    require(
                            desired.equals(target.plan().refusedKey()),
                            () -> target.id() + " rests failed, without having tried " + target.desired());
                case AWAITING_OPERATOR ->
                    require(isForAPerson(target), () -> target.id() + " needs no person, and waits for one");
                default -> require(false, () -> target.id() + " does not come to rest: " + target);
            }
            Told newest = tables.tasks.get(
                    new TaskKey(target.id().tenantId(), target.id().externalId()));
            require(
                    newest != null
                            && newest.task().version() == target.desired().taskVersion(),
                    () -> target.id() + " does not know what is desired");
        }
    }

    /** Only what nothing can tell any more: no look-up, no key, and no proof that the sender is through. */
    private boolean isForAPerson(Target target) {
        UUID open = target.plan().openAttempt();
        AttemptRow attempt = open == null ? null : tables.attempts.get(open);
        if (attempt == null) {
            return false;
        }
        Recovery recovery = platform(target.id().platform()).recovery();
        if (recovery instanceof Recovery.CanBeAsked) {
            UUID owner = attempt.attempt().trail().owner();
            return dispatchers.stream().anyMatch(one -> one.id.equals(owner) && !one.sameHost && one.isGone());
        }
        return true;
    }

    private static final class OneAccount implements AccountBook {
        private record Only(String name) implements Account {}

        @Override
        public Choice choose(String tenantId, String groupCode, Platform platform) {
            return new Choice.Found(new Only("main"));
        }

        @Override
        public Optional<Account> named(String tenantId, Platform platform, String account) {
            return Optional.of(new Only(account));
        }
    }
}
