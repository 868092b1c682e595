package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.ledger.EffectLedger.LedgerTables;
import dev.postonce.dispatch.ledger.EffectLedger.Work;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.runtime.Ids;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One dispatcher process: the real ledger and the real recorder, led through the steps that {@code TargetWorker} takes,
 * with time passing between any two of them. It may be stopped for a while, or be gone.
 */
final class SimulatedDispatcher {

    static final LedgerSettings SETTINGS = new LedgerSettings(
            Duration.ofSeconds(3),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10));

    private static final long TIMEOUT_MS = 2_500;
    private static final int AT_ONCE = 2;

    final UUID id;
    final boolean sameHost;
    private final Simulation simulation;
    private final LedgerWorld world;
    private final InFlight inFlight = new InFlight();
    private final EffectLedger ledger;
    private final OutcomeRecorder recorder;
    private boolean gone;
    private long stoppedUntilMs;

    SimulatedDispatcher(LedgerWorld world, boolean sameHost) {
        this.world = world;
        this.simulation = world.simulation;
        this.sameHost = sameHost;
        Ids ids = world::nextId;
        this.id = ids.next();
        LedgerTables tables = world.sabotage.tables().apply(new LedgerTables(world.tables, world.tables, world.tables));
        TransactionTemplate transactions = new TransactionTemplate(world.tables);
        RetryDelays delays = new RetryDelays(Duration.ofSeconds(1), Duration.ofSeconds(30));
        this.ledger = new EffectLedger(transactions, tables, world.platforms, new HostView(), inFlight, SETTINGS, ids);
        OutcomeRules rules = new OutcomeRules(delays, Duration.ofSeconds(1), 200, simulation.random());
        this.recorder = new OutcomeRecorder(
                transactions, tables, world.platforms, rules, SETTINGS, delays, simulation.random());
        world.tables.instances.put(id, new SimulatedTables.InstanceRow(null, simulation.now()));
        simulation.note("dispatcher " + name() + (sameHost ? " starts" : " starts on another host"));
        simulation.after(simulation.delayMs(1, 500), this::tick);
        simulation.after(SETTINGS.heartbeat().toMillis(), this::heartbeat);
    }

    String name() {
        return id.toString().substring(30);
    }

    boolean isGone() {
        return gone;
    }

    /** Whether none of its threads has anything left to do. */
    boolean isIdle() {
        return gone || inFlight.leases().isEmpty();
    }

    void kill() {
        gone = true;
        simulation.note("dispatcher " + name() + " is killed");
    }

    void stopFor(long ms) {
        stoppedUntilMs = Math.max(stoppedUntilMs, simulation.nowMs() + ms);
        simulation.note("dispatcher " + name() + " stands still for " + ms + " ms");
    }

    void wake() {
        stoppedUntilMs = simulation.nowMs();
        simulation.note("dispatcher " + name() + " goes on");
    }

    /** What a process that is gone or stopped does not do, and what it does when it wakes. */
    private void live(Runnable step) {
        if (gone) {
            return;
        }
        if (simulation.nowMs() < stoppedUntilMs) {
            simulation.after(stoppedUntilMs - simulation.nowMs(), () -> live(step));
            return;
        }
        step.run();
    }

    private void tick() {
        live(() -> {
            int free = AT_ONCE - inFlight.leases().size();
            if (free > 0) {
                world.tables.claim(id, free, SETTINGS.lease().toMillis()).forEach(this::take);
            }
            simulation.after(simulation.isCalm() ? world.untilNextDueMs() : simulation.delayMs(50, 2_000), this::tick);
        });
    }

    private void heartbeat() {
        live(() -> {
            world.tables.instances.computeIfPresent(
                    id, (key, row) -> new SimulatedTables.InstanceRow(row.endedAt(), simulation.now()));
            world.tables.renew(id, inFlight.leases(), SETTINGS.lease().toMillis());
            Set<UUID> through = inFlight.untold();
            through.forEach(attempt -> world.tables.senderDone(attempt, simulation.now()));
            inFlight.told(through);
            world.endTheDeadSeenBy(this);
            if (!simulation.isCalm() || !inFlight.leases().isEmpty()) {
                simulation.after(SETTINGS.heartbeat().toMillis(), this::heartbeat);
            } else {
                simulation.after(SETTINGS.reask().toMillis(), this::heartbeat);
            }
        });
    }

    private void take(Lease lease) {
        inFlight.begin(lease);
        later(lease, 1, 30, () -> {
            Work work = ledger.begin(lease);
            if (work instanceof Work.Send send) {
                later(lease, 1, 40, () -> askTheGuard(lease, send));
            } else if (work instanceof Work.Ask ask) {
                later(lease, 1, 800, () -> lookUp(lease, ask));
            } else {
                inFlight.end(lease);
            }
        });
    }

    /** One step of a worker's thread; an exception ends the thread's work on this lease, as in the real one. */
    private void later(Lease lease, long minMs, long maxMs, Runnable step) {
        simulation.after(
                simulation.delayMs(minMs, maxMs),
                () -> live(() -> {
                    try {
                        step.run();
                    } catch (RuntimeException e) {
                        simulation.note(name() + " gives " + lease.id() + " up: " + e.getMessage());
                        inFlight.endUntold(lease);
                    }
                }));
    }

    /** After the last question and before the first byte, or after the answer and before its record: where it hurts. */
    private void maybeStopHere(double probability) {
        if (simulation.fault(probability)) {
            stopFor(2_000 + simulation.random().nextLong(world.stopMsMax));
        }
    }

    private void askTheGuard(Lease lease, Work.Send send) {
        if (!lease.maySendAt(simulation.nanos())) {
            later(lease, 1, 5, () -> record(lease, send, new Outcome.NotSent("lease_lost", null)));
        } else if (simulation.fault(0.05)) {
            later(lease, 1, 50, () -> record(lease, send, new Outcome.NotSent("connect_failed", null)));
        } else {
            maybeStopHere(world.stopChance);
            later(lease, 0, 20, () -> transmit(lease, send));
        }
    }

    private void transmit(Lease lease, Work.Send send) {
        world.bytesLeave(this, send.attempt());
        AtomicBoolean over = new AtomicBoolean();
        SimulatedPlatform platform = world.platform(lease.id().platform());
        platform.request(send.attempt().job(), outcome -> live(() -> end(lease, send, outcome, over)));
        simulation.after(TIMEOUT_MS, () -> live(() -> end(lease, send, new Outcome.Unknown("timeout", null), over)));
    }

    private void end(Lease lease, Work.Send send, Outcome outcome, AtomicBoolean over) {
        if (over.compareAndSet(false, true)) {
            maybeStopHere(world.stopChance / 2);
            later(lease, 0, 200, () -> record(lease, send, outcome));
        }
    }

    private void record(Lease lease, Work.Send send, Outcome outcome) {
        boolean counted = recorder.record(lease, send, outcome, simulation.now());
        simulation.note(name() + (counted ? " records " : " is fenced off with ") + outcome.word() + " of "
                + send.attempt().job().action() + " " + lease.id() + " v"
                + send.attempt().job().taskVersion());
        world.ended(send.attempt(), outcome);
        inFlight.end(lease);
    }

    private void lookUp(Lease lease, Work.Ask ask) {
        LookUp answer = world.platform(lease.id().platform()).ask(ask.attempt().job(), null);
        Instant observedAt = simulation.now();
        later(lease, 1, 300, () -> {
            recorder.recordLookUp(lease, ask, answer, observedAt);
            simulation.note(name() + " asked about " + lease.id() + ": " + answer);
            inFlight.end(lease);
        });
    }

    /** As {@code JdbcInstances}: who ended its row, or is seen to be gone on this host, sends nothing more. */
    private final class HostView implements Senders {

        @Override
        public UUID id() {
            return id;
        }

        @Override
        public Fate fateOf(UUID owner, Duration stale) {
            SimulatedTables.InstanceRow row = world.tables.instances.get(owner);
            if (row == null) {
                return new Fate(null, false);
            }
            if (row.endedAt() != null) {
                return new Fate(row.endedAt(), false);
            }
            boolean seenGone = sameHost && world.isGoneOnThatHost(owner);
            if (world.sabotage.silenceIsProof()
                    && row.heartbeatAt().isBefore(simulation.now().minus(stale))) {
                return new Fate(simulation.now(), false);
            }
            boolean fresh = row.heartbeatAt().isAfter(simulation.now().minus(stale));
            return new Fate(seenGone ? simulation.now() : null, !seenGone && fresh);
        }
    }
}
