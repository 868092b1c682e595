package dev.postonce.relay.simulation;

import static dev.postonce.testinfra.simulation.Simulation.require;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.Parking;
import dev.postonce.relay.source.ObservedSource;
import dev.postonce.relay.source.RecordedSource;
import dev.postonce.testinfra.simulation.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * A log that grows, its slot, the row with the position and the claim, a topic, and two relays that are killed and
 * stopped. Then quiet, and an audit of the topic against what was committed.
 */
final class RelayWorld {

    static final String TOPIC = "t";
    static final OutboxSource SOURCE = new OutboxSource("ingest", "ingest", "s", "p", List.of(TOPIC));
    static final long CLAIM_MS = 2_000;
    private static final long TROUBLE_MS = 30_000;
    private static final long REST_MS = 25_000;
    private static final int ROWS = 24;

    /** A row, and where its commit stands in the log. */
    record Committed(long lsn, OutboxRow row) {}

    /**
     * A planted bug.
     *
     * @param positionFirst the position is stored before the rows are sent
     * @param reads what becomes of the rows between the log and the publisher
     * @param oneReplica a record counts as there when the leader has it; the next leader may lack it
     */
    record Sabotage(boolean positionFirst, UnaryOperator<List<OutboxRow>> rows, boolean oneReplica) {
        static final Sabotage NONE = new Sabotage(false, UnaryOperator.identity(), false);

        List<OutboxRow> reads(List<OutboxRow> read) {
            return rows.apply(read);
        }
    }

    final Simulation simulation;
    final Sabotage sabotage;
    final SimulatedTopic topic;
    final Rows parking = new Rows();
    private final List<Committed> log = new ArrayList<>();
    private final List<SimulatedRelay> relays = new ArrayList<>();
    private final Map<String, Long> versions = new HashMap<>();
    private @Nullable SimulatedRelay holder;
    private long epoch;
    private long positionLsn;
    private long confirmedLsn;
    private int wanted = ROWS;

    RelayWorld(Simulation simulation, Sabotage sabotage) {
        this.simulation = simulation;
        this.sabotage = sabotage;
        this.topic = new SimulatedTopic(simulation);
    }

    static void run(Simulation simulation) {
        run(simulation, Sabotage.NONE);
    }

    static void run(Simulation simulation, Sabotage sabotage) {
        RelayWorld world = new RelayWorld(simulation, sabotage);
        world.relays.add(new SimulatedRelay(world, "relay-1"));
        world.relays.add(new SimulatedRelay(world, "relay-2"));
        world.write();
        world.trouble();
        if (sabotage.oneReplica()) {
            world.leadersChange();
        }
        simulation.runUntil(TROUBLE_MS);
        simulation.calmDown();
        if (world.relays.stream().allMatch(SimulatedRelay::isGone)) {
            world.relays.add(new SimulatedRelay(world, "relay-last"));
        }
        simulation.runUntil(TROUBLE_MS + REST_MS);
        world.audit();
    }

    /** Commits in an order that is not that of the sequence: a transaction that took its number early may be late. */
    private void write() {
        if (wanted == 0) {
            return;
        }
        int together = 1 + simulation.random().nextInt(4);
        for (int i = 0; i < together && wanted > 0; i++) {
            wanted--;
            String key = "dev:task-" + simulation.random().nextInt(3);
            long version = versions.merge(key, 1L, Long::sum);
            long lsn = 10L * (log.size() + 1);
            String data =
                    "{\"v\":" + version + (simulation.chance(0.04) ? ",\"" + SimulatedProducer.TOO_LARGE : "") + "\"}";
            log.add(new Committed(
                    lsn,
                    new OutboxRow(
                            1_000L - log.size() * 7L % 13,
                            new UUID(7, lsn),
                            TOPIC,
                            key,
                            "dev.postonce.task.state.v1",
                            "/postonce/ingest",
                            key,
                            version,
                            simulation.now(),
                            null,
                            data)));
        }
        simulation.after(simulation.delayMs(1, 4_000), this::write);
    }

    private void trouble() {
        simulation.after(simulation.delayMs(50, 6_000), () -> {
            if (simulation.isCalm()) {
                return;
            }
            List<SimulatedRelay> running =
                    relays.stream().filter(one -> !one.isGone()).toList();
            SimulatedRelay victim = simulation.pick(running);
            if (simulation.chance(0.5)) {
                victim.kill();
                simulation.after(
                        simulation.delayMs(10, 2_000),
                        () -> relays.add(new SimulatedRelay(this, "relay-" + (relays.size() + 1))));
            } else {
                victim.stopFor(simulation.delayMs(100, 8_000));
            }
            simulation.after(running.size() > 1 ? 1 : 2_500, this::trouble);
        });
    }

    private void leadersChange() {
        simulation.after(simulation.delayMs(500, 8_000), () -> {
            if (!simulation.isCalm()) {
                topic.loseTail(1 + simulation.random().nextInt(3));
                leadersChange();
            }
        });
    }

    // The claim and the position, as the database keeps them.

    boolean tryClaim(SimulatedRelay relay) {
        if (holder != null) {
            return false;
        }
        holder = relay;
        relay.claimed(++epoch);
        simulation.note(relay.name + " leads, epoch " + epoch);
        return true;
    }

    boolean holds(SimulatedRelay relay) {
        return holder == relay;
    }

    void releases(SimulatedRelay relay) {
        if (holder == relay) {
            holder = null;
        }
    }

    void sessionEnds(SimulatedRelay relay) {
        if (holder == relay) {
            holder = null;
            relay.claimLost();
        }
    }

    void advance(SimulatedRelay relay, long itsEpoch, long lsn) {
        if (itsEpoch != epoch) {
            throw new IllegalStateException("epoch " + itsEpoch + " is over");
        }
        simulation.note(relay.name + " stores position " + lsn);
        positionLsn = Math.max(positionLsn, lsn);
        for (Committed row : log) {
            require(
                    row.lsn() > positionLsn
                            || topic.has(row.row().eventId())
                            || parking.parked.containsKey(row.row().eventId()),
                    () -> "the position " + positionLsn + " passed what was not published: " + row);
        }
    }

    /** Only the session that reads the slot can confirm it. */
    void confirm(SimulatedRelay relay, long lsn) {
        if (holder == relay) {
            confirmedLsn = Math.max(confirmedLsn, lsn);
            require(confirmedLsn <= positionLsn, "the slot is ahead of the position");
        }
    }

    long confirmedLsn() {
        return confirmedLsn;
    }

    List<Committed> readBehind(long lsn, int atMost) {
        return log.stream().filter(row -> row.lsn() > lsn).limit(atMost).toList();
    }

    RecordedSource recorded() {
        return new RecordedSource(
                RecordedSource.State.STREAMING,
                epoch,
                new RecordedSource.Identity("system", 1, "publication", "cluster", Map.of(TOPIC, "topic-id")),
                null,
                null,
                positionLsn,
                0,
                null);
    }

    ObservedSource observed() {
        return SimulatedRelay.observed(confirmedLsn);
    }

    Producer<byte[], byte[]> producer(Runnable breathe) {
        return new SimulatedProducer(simulation, topic, breathe);
    }

    private void audit() {
        List<OutboxRow> rows = log.stream().map(Committed::row).toList();
        require(rows.size() == ROWS, () -> "only " + rows.size() + " rows were written");
        topic.audit(rows, parking.parked);
        require(confirmedLsn == 10L * ROWS, () -> "the slot rests at " + confirmedLsn);
        for (Committed row : log) {
            boolean large = row.row().data().contains(SimulatedProducer.TOO_LARGE);
            require(
                    large == parking.parked.containsKey(row.row().eventId()),
                    () -> "parked without a reason, or not parked: " + row);
        }
    }

    /** {@code relay.parked_event}. */
    static final class Rows implements Parking {
        final Map<UUID, String> parked = new LinkedHashMap<>();

        @Override
        public void park(String source, OutboxRow row, String reasonCode, String reason) {
            parked.putIfAbsent(row.eventId(), reasonCode);
        }

        @Override
        public List<OutboxRow> withoutParked(String source, List<OutboxRow> rows) {
            return rows.stream()
                    .filter(row -> !parked.containsKey(row.eventId()))
                    .toList();
        }

        @Override
        public void supersede(String source, List<OutboxRow> acknowledged) {}
    }
}
