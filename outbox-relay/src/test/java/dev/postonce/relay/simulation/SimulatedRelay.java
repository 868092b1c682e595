package dev.postonce.relay.simulation;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.publish.KafkaPublisher;
import dev.postonce.relay.publish.PublishListener;
import dev.postonce.relay.publish.PublishStoppedException;
import dev.postonce.relay.source.ObservedSource;
import dev.postonce.relay.source.RecordedSource;
import dev.postonce.relay.source.SourceChecks;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One relay process: the real checks and the real publisher between a slot and a topic. It is led through the steps of
 * the reader: publish, store the position, confirm the slot. While it waits for Kafka, others act.
 */
final class SimulatedRelay {

    private static final int ROWS_A_BATCH = 6;

    /** The process is gone in the middle of a step. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    final String name;
    private final Simulation simulation;
    private final RelayWorld world;
    private boolean gone;
    private long stoppedUntilMs;
    private long epoch;
    private @Nullable KafkaPublisher publisher;

    SimulatedRelay(RelayWorld world, String name) {
        this.world = world;
        this.simulation = world.simulation;
        this.name = name;
        simulation.after(simulation.delayMs(1, 300), this::tick);
    }

    boolean isGone() {
        return gone;
    }

    void kill() {
        gone = true;
        world.sessionEnds(this);
        simulation.note(name + " is killed");
    }

    /** Its session ends while it stands still for longer than the claim's time to live. */
    void stopFor(long ms) {
        stoppedUntilMs = simulation.nowMs() + ms;
        simulation.note(name + " stands still for " + ms + " ms");
        if (ms > RelayWorld.CLAIM_MS) {
            simulation.after(RelayWorld.CLAIM_MS, () -> world.sessionEnds(this));
        }
    }

    /** Woken, it learns after a while that its claim is gone; until then it goes on. */
    void claimLost() {
        KafkaPublisher current = publisher;
        if (current != null) {
            simulation.after(simulation.delayMs(1, 400), () -> {
                if (!gone && simulation.nowMs() >= stoppedUntilMs) {
                    current.stop();
                } else {
                    simulation.after(Math.max(1, stoppedUntilMs - simulation.nowMs() + 50), current::stop);
                }
            });
        }
    }

    private void tick() {
        if (gone) {
            return;
        }
        if (simulation.nowMs() < stoppedUntilMs) {
            simulation.after(stoppedUntilMs - simulation.nowMs(), this::tick);
            return;
        }
        try {
            if (world.tryClaim(this)) {
                lead();
            }
        } catch (Killed e) {
            return;
        } catch (PublishStoppedException e) {
            simulation.note(name + " stops publishing");
        } catch (RuntimeException | InterruptedException e) {
            simulation.note(name + " gives up for now: " + e);
        } finally {
            publisher = null;
        }
        if (!gone) {
            world.releases(this);
            simulation.after(simulation.isCalm() ? 1_000 : simulation.delayMs(20, 900), this::tick);
        }
    }

    void claimed(long newEpoch) {
        epoch = newEpoch;
    }

    private void lead() throws InterruptedException {
        RecordedSource recorded = world.recorded();
        SourceChecks.Verdict verdict = SourceChecks.decide(RelayWorld.SOURCE, recorded, world.observed(), null);
        Simulation.require(verdict instanceof SourceChecks.Verdict.Stream, () -> name + " may not stream: " + verdict);
        try (KafkaPublisher current = new KafkaPublisher(
                RelayWorld.SOURCE,
                () -> world.producer(this::breathe),
                world.parking,
                new Silent(),
                Duration.ZERO,
                Duration.ZERO)) {
            publisher = current;
            long from = world.confirmedLsn();
            while (world.holds(this)) {
                List<RelayWorld.Committed> batch = world.readBehind(from, ROWS_A_BATCH);
                if (batch.isEmpty()) {
                    return;
                }
                long last = batch.get(batch.size() - 1).lsn();
                publish(current, batch, last);
                from = last;
            }
        }
    }

    private void publish(KafkaPublisher current, List<RelayWorld.Committed> batch, long last)
            throws InterruptedException {
        List<OutboxRow> rows = batch.stream().map(RelayWorld.Committed::row).toList();
        if (world.sabotage.positionFirst()) {
            world.advance(this, epoch, last);
            breathe();
        }
        current.publish(world.sabotage.reads(rows));
        breathe();
        world.advance(this, epoch, last);
        breathe();
        world.confirm(this, last);
    }

    /** Time passes in which this thread waits. */
    private void breathe() {
        simulation.runUntil(simulation.nowMs() + simulation.delayMs(0, 60));
        while (!gone && simulation.nowMs() < stoppedUntilMs) {
            simulation.runUntil(stoppedUntilMs);
        }
        if (gone) {
            throw new Killed();
        }
    }

    /** What the relay found of its source; unused parts are as in a healthy system. */
    static ObservedSource observed(long confirmedLsn) {
        return new ObservedSource(
                false,
                "system",
                1,
                true,
                new ObservedSource.Publication("publication", null),
                new ObservedSource.Slot(true, false, "reserved", confirmedLsn, 0, 0),
                new ObservedSource.Kafka("cluster", java.util.Map.of(RelayWorld.TOPIC, "topic-id")));
    }

    private static final class Silent implements PublishListener {
        @Override
        public void began(List<OutboxRow> rows) {}

        @Override
        public void acknowledged(List<OutboxRow> rows) {}

        @Override
        public void parked(OutboxRow row, String reasonCode) {}

        @Override
        public void waiting(@Nullable String reason) {}
    }
}
