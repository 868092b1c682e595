package dev.postonce.ingest.callback;

import static dev.postonce.testinfra.simulation.Simulation.require;

import dev.postonce.ingest.callback.LaneRules.Row;
import dev.postonce.ingest.callback.LaneRules.State;
import dev.postonce.testinfra.simulation.Simulation;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lane of one task with two targets, two workers that crash and stand still, and an upstream that is away, slow,
 * forgetful and busy. The real rules and the real worker, between rows in memory and that upstream.
 */
final class LaneWorld {

    private static final long TROUBLE_MS = 120_000;
    private static final long REST_MS = 3_600_000;
    private static final long LEASE_MS = 10_000;
    private static final Instant NEVER = Instant.MAX;
    private static final List<String> PLATFORMS = List.of("wordpress", "webhook");
    private static final List<Duration> SCHEDULE = List.of(
            Duration.ZERO,
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2));

    /**
     * A planted bug.
     *
     * @param sentBeforeCommit rows can be claimed before their transaction commits
     * @param dropped what ran out of attempts is dropped rather than parked
     */
    record Sabotage(boolean sentBeforeCommit, boolean dropped) {
        static final Sabotage NONE = new Sabotage(false, false);
    }

    /** The process is gone in the middle of a step. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private final Simulation simulation;
    private final Sabotage sabotage;
    private final RetrySchedule schedule;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<String, Long> committed = new HashMap<>();
    private final Map<String, String> received = new LinkedHashMap<>();
    private final Map<String, Long> known = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private long sequence;
    private long token;
    private Instant leasedUntil = Instant.MIN;
    private Instant laneDueAt = NEVER;
    private boolean away;

    LaneWorld(Simulation simulation, Sabotage sabotage) {
        this.simulation = simulation;
        this.sabotage = sabotage;
        this.schedule = new RetrySchedule(SCHEDULE, simulation.random());
    }

    static void run(Simulation simulation) {
        run(simulation, Sabotage.NONE);
    }

    static void run(Simulation simulation, Sabotage sabotage) {
        LaneWorld world = new LaneWorld(simulation, sabotage);
        world.targetsMove(8);
        world.upstreamComesAndGoes();
        world.look("ingest-1");
        world.look("ingest-2");
        simulation.runUntil(TROUBLE_MS);
        simulation.calmDown();
        world.away = false;
        simulation.runUntil(TROUBLE_MS + REST_MS);
        world.audit();
    }

    // Targets come to rest in new states; their callbacks are appended in the same transaction, or not at all.

    private void targetsMove(int left) {
        if (left == 0) {
            return;
        }
        List<NewCallback> batch = new ArrayList<>();
        int together = 1 + simulation.random().nextInt(3);
        for (int i = 0; i < together; i++) {
            String platform = simulation.pick(PLATFORMS);
            long version = versions.merge(platform, 1L + simulation.random().nextInt(3), Long::sum);
            batch.add(new NewCallback(
                    "dev", "task", null, platform, "published", "u" + version, null, 1, version, simulation.now()));
        }
        boolean rolledBack = simulation.fault(0.15);
        if (sabotage.sentBeforeCommit()) {
            append(batch);
            simulation.after(simulation.delayMs(1, 4_000), () -> commit(batch, rolledBack));
        } else if (!rolledBack) {
            append(batch);
            commit(batch, false);
        }
        simulation.after(simulation.delayMs(1, 40_000), () -> targetsMove(left - 1));
    }

    private void append(List<NewCallback> batch) {
        Map<String, Long> newest = new HashMap<>();
        for (NewCallback callback : batch) {
            rows.putIfAbsent(
                    callback.webhookId(),
                    new Row(
                            callback.webhookId(),
                            callback.platform(),
                            ++sequence,
                            callback.dispatchVersion(),
                            State.PENDING,
                            simulation.now()));
            newest.merge(callback.platform(), callback.dispatchVersion(), Math::max);
        }
        LaneRules.supersededBy(newest, rows.values())
                .forEach(row -> rows.put(row.webhookId(), row.withState(State.SUPERSEDED)));
        setLaneDue(LaneRules.dueAt(rows.values()));
    }

    private void commit(List<NewCallback> batch, boolean rolledBack) {
        for (NewCallback callback : batch) {
            if (rolledBack) {
                rows.remove(callback.webhookId());
            } else {
                committed.put(callback.webhookId(), callback.dispatchVersion());
            }
        }
    }

    private void setLaneDue(@Nullable Instant due) {
        laneDueAt = due == null ? NEVER : due;
    }

    // The upstream.

    private void upstreamComesAndGoes() {
        simulation.after(simulation.delayMs(500, 30_000), () -> {
            away = !simulation.isCalm() && !away;
            if (!simulation.isCalm()) {
                upstreamComesAndGoes();
            }
        });
    }

    private DeliveryOutcome receive(DueCallback callback) {
        if (away && simulation.chance(0.9)) {
            return new DeliveryOutcome.Failed("connect_failed", null, null);
        }
        Row row = rows.get(callback.webhookId());
        require(committed.containsKey(callback.webhookId()), () -> "told of what was never committed: " + callback);
        String before = received.putIfAbsent(callback.webhookId(), callback.body());
        require(before == null || before.equals(callback.body()), "one id, two bodies");
        require(row != null, "told of a callback that nobody has");
        known.merge(callback.platform(), callback.sequence(), Math::max);
        if (simulation.fault(0.15)) {
            return new DeliveryOutcome.Failed("timeout", null, null);
        }
        return simulation.fault(0.1)
                ? new DeliveryOutcome.Failed("status_5xx", 503, Duration.ofSeconds(5))
                : new DeliveryOutcome.Delivered(200);
    }

    // A worker's process.

    private void look(String name) {
        if (!laneDueAt.isAfter(simulation.now()) && !leasedUntil.isAfter(simulation.now())) {
            leasedUntil = simulation.now().plusMillis(LEASE_MS);
            Lane lane = new Lane("dev", "task", ++token);
            try {
                new LaneWorker(
                                new InMemory(),
                                (claimed, callback) -> send(name, callback),
                                schedule,
                                new CompositeMeterRegistry())
                        .run(lane, () -> false);
            } catch (Killed e) {
                simulation.note(name + " is killed");
                simulation.after(simulation.delayMs(500, 10_000), () -> look(name));
                return;
            }
        }
        simulation.after(simulation.isCalm() ? 5_000 : simulation.delayMs(50, 1_500), () -> look(name));
    }

    private DeliveryOutcome send(String name, DueCallback callback) {
        simulation.note(name + " sends " + callback.platform() + " #" + callback.sequence());
        breathe();
        DeliveryOutcome outcome = receive(callback);
        breathe();
        return outcome;
    }

    private void breathe() {
        boolean stands = simulation.fault(0.08);
        simulation.runUntil(
                simulation.nowMs() + (stands ? simulation.delayMs(1_000, 30_000) : simulation.delayMs(0, 300)));
        if (simulation.fault(0.05)) {
            throw new Killed();
        }
    }

    /** The rows, read and written by the rules as the statements do. */
    private final class InMemory implements Lanes {

        @Override
        public Optional<DueCallback> begin(Lane lane) {
            Row head = LaneRules.head(rows.values()).orElse(null);
            boolean mine = lane.token() == token;
            if (head == null || !mine || head.dueAt().isAfter(simulation.now())) {
                return Optional.empty();
            }
            require(
                    rows.values().stream()
                            .noneMatch(row -> row.state() == State.DELIVERED
                                    && row.platform().equals(head.platform())
                                    && row.sequence() > head.sequence()),
                    () -> "an older state is sent after a newer one was delivered: " + head);
            int made = attempts.merge(head.webhookId(), 1, Integer::sum);
            String body = head.platform() + " v" + head.dispatchVersion();
            return Optional.of(new DueCallback(
                    head.webhookId(), head.platform(), head.sequence(), body, "https://up.example", false, made));
        }

        @Override
        public Step finish(
                Lane lane, DueCallback callback, DeliveryOutcome outcome, @Nullable Duration next, boolean mayGoOn) {
            if (lane.token() != token) {
                return Step.FENCED;
            }
            List<Row> read = rows.values().stream()
                    .filter(row -> row.state() == State.PENDING
                            || row.state() == State.PARKED
                            || row.webhookId().equals(callback.webhookId()))
                    .toList();
            LaneRules.Finished finished =
                    LaneRules.finish(read, callback.webhookId(), outcome, next, simulation.now(), mayGoOn);
            Row attempted = finished.attempted();
            if (attempted != null) {
                rows.put(attempted.webhookId(), attempted);
                if (sabotage.dropped() && attempted.state() == State.PARKED) {
                    rows.remove(attempted.webhookId());
                }
            }
            finished.superseded()
                    .forEach(id -> rows.computeIfPresent(id, (key, row) -> row.withState(State.SUPERSEDED)));
            return goOn(finished.laneDueAt(), finished.goOn());
        }

        @Override
        public Step giveBack(Lane lane) {
            return lane.token() == token ? goOn(LaneRules.dueAt(rows.values()), false) : Step.FENCED;
        }

        private Step goOn(@Nullable Instant due, boolean goOn) {
            setLaneDue(due);
            leasedUntil = goOn ? simulation.now().plusMillis(LEASE_MS) : Instant.MIN;
            return goOn ? Step.GO_ON : Step.DONE;
        }
    }

    // What must hold when nothing moves any more.

    private void audit() {
        Map<String, Row> newest = new HashMap<>();
        committed
                .keySet()
                .forEach(id -> require(rows.containsKey(id), () -> "a callback is gone without a trace: " + id));
        for (Row row : rows.values()) {
            require(row.state() != State.PENDING, () -> "still waits: " + row);
            newest.merge(
                    row.platform(), row, (one, other) -> one.dispatchVersion() > other.dispatchVersion() ? one : other);
        }
        for (Row row : newest.values()) {
            require(
                    row.state() == State.DELIVERED || row.state() == State.PARKED,
                    () -> "the newest state neither arrived nor is it parked: " + row);
            if (row.state() == State.DELIVERED) {
                require(
                        known.getOrDefault(row.platform(), 0L) == row.sequence(),
                        () -> "the upstream takes an older state of " + row.platform() + " for the newest");
            }
        }
        attempts.forEach((id, made) -> require(made <= 60, () -> id + " was sent " + made + " times"));
    }
}
