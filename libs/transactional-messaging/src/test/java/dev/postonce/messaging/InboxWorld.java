package dev.postonce.messaging;

import static dev.postonce.testinfra.simulation.Simulation.require;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.messaging.GateDecision.Watermark;
import dev.postonce.testinfra.simulation.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * One partition with copies, late copies and redriven events; three consumers of one group that crash, stop and are
 * rebalanced; and the inbox between its reading and its writing, in which others commit.
 */
final class InboxWorld {

    private static final long TROUBLE_MS = 20_000;
    private static final long REST_MS = 20_000;
    private static final int BATCH_MAX = 5;
    private static final int CONSUMERS = 3;

    /**
     * A planted bug.
     *
     * @param gateOff watermarks are not looked at
     * @param blindWrite watermarks are written without comparing
     * @param offsetFirst the offset is committed before the batch is written
     * @param tenantsMixed the gate's memory is kept by the aggregate's id alone
     */
    record Sabotage(boolean gateOff, boolean blindWrite, boolean offsetFirst, boolean tenantsMixed) {
        static final Sabotage NONE = new Sabotage(false, false, false, false);
    }

    private final Simulation simulation;
    private final Sabotage sabotage;
    private final List<InboxEvent> log = new ArrayList<>();
    private final Map<String, Long> committed = new LinkedHashMap<>();
    private final Map<UUID, Boolean> inbox = new LinkedHashMap<>();
    private final Map<String, Watermark> watermarks = new LinkedHashMap<>();
    private final Map<String, Long> documents = new LinkedHashMap<>();
    private int offset;
    private int generation;
    private int assigned;
    private long ids;

    InboxWorld(Simulation simulation, Sabotage sabotage) {
        this.simulation = simulation;
        this.sabotage = sabotage;
    }

    static void run(Simulation simulation) {
        run(simulation, Sabotage.NONE);
    }

    static void run(Simulation simulation, Sabotage sabotage) {
        InboxWorld world = new InboxWorld(simulation, sabotage);
        world.publish(30);
        for (int i = 0; i < CONSUMERS; i++) {
            int me = i;
            simulation.after(simulation.delayMs(1, 100), () -> world.poll(me));
        }
        world.rebalance();
        simulation.runUntil(TROUBLE_MS);
        simulation.calmDown();
        simulation.runUntil(TROUBLE_MS + REST_MS);
        world.audit();
    }

    /** First appearances rise; copies of anything may follow at any time, as a relay that was taken over sends them. */
    private void publish(int left) {
        if (left == 0) {
            return;
        }
        String tenant = simulation.chance(0.5) ? "dev" : "shop";
        String key = tenant + ":task-" + simulation.random().nextInt(2);
        long version = committed.merge(key, 1L, Long::sum);
        log.add(event(key, version));
        while (simulation.fault(0.35)) {
            log.add(simulation.pick(log));
        }
        if (simulation.fault(0.05)) {
            // The present state once more, as a new event: an operator asked for it.
            log.add(event(key, committed.getOrDefault(key, 1L)));
        }
        simulation.after(simulation.delayMs(1, 1_500), () -> publish(left - 1));
    }

    private InboxEvent event(String key, long version) {
        return new InboxEvent(
                new EventEnvelope(
                        new UUID(1, ++ids),
                        "dev.postonce.task.state.v1",
                        "/postonce/ingest",
                        "task",
                        simulation.now(),
                        RecordKey.parse(key),
                        version,
                        null,
                        "{}"),
                "digest of " + key + " v" + version);
    }

    private void rebalance() {
        simulation.after(simulation.delayMs(50, 4_000), () -> {
            if (!simulation.isCalm()) {
                assigned = simulation.random().nextInt(CONSUMERS);
                generation++;
                rebalance();
            }
        });
    }

    /** One turn of a consumer: records in hand, read, decide, write, commit the offset; time passes in between. */
    private void poll(int me) {
        if (assigned != me || offset >= log.size()) {
            simulation.after(simulation.delayMs(20, 400), () -> poll(me));
            return;
        }
        int from = offset;
        int joined = generation;
        int to = Math.min(log.size(), from + 1 + simulation.random().nextInt(BATCH_MAX));
        List<InboxEvent> batch = List.copyOf(log.subList(from, to));
        if (sabotage.offsetFirst()) {
            commitOffset(joined, to);
        }
        simulation.after(pause(), () -> read(me, batch, joined, to));
    }

    private long pause() {
        return simulation.fault(0.1) ? simulation.delayMs(500, 6_000) : simulation.delayMs(0, 30);
    }

    private void read(int me, List<InboxEvent> batch, int joined, int to) {
        if (simulation.fault(0.05)) {
            crash(me);
            return;
        }
        Set<UUID> seen = new HashSet<>();
        Map<String, Watermark> standing = new HashMap<>();
        for (InboxEvent event : batch) {
            if (inbox.containsKey(event.envelope().id())) {
                seen.add(event.envelope().id());
            }
            Watermark mark = watermarks.get(memoryKey(event.key()));
            if (mark != null && !sabotage.gateOff()) {
                standing.put(event.key(), mark);
            }
        }
        InboxBatch decided = InboxBatch.decide(batch, sabotage.gateOff() ? Set.of() : seen, standing);
        simulation.after(pause(), () -> write(me, batch, decided, joined, to));
    }

    private String memoryKey(String key) {
        return sabotage.tenantsMixed() ? key.substring(key.indexOf(':')) : key;
    }

    /** As the statements do: a watermark moves by compare-and-set, or the whole transaction is rolled back. */
    private void write(int me, List<InboxEvent> batch, InboxBatch decided, int joined, int to) {
        if (simulation.fault(0.05)) {
            crash(me);
            return;
        }
        for (Map.Entry<String, Watermark> moved : decided.moved().entrySet()) {
            Watermark now = watermarks.get(memoryKey(moved.getKey()));
            if (!sabotage.blindWrite()
                    && now != null
                    && now.version() >= moved.getValue().version()) {
                simulation.note("consumer " + me + " was overtaken, and takes its batch again");
                simulation.after(pause(), () -> read(me, batch, joined, to));
                return;
            }
        }
        apply(batch, decided);
        simulation.note("consumer " + me + " wrote up to " + to + ": " + decided.decisions());
        if (simulation.fault(0.05)) {
            crash(me);
            return;
        }
        simulation.after(pause(), () -> {
            commitOffset(joined, to);
            poll(me);
        });
    }

    private void apply(List<InboxEvent> batch, InboxBatch decided) {
        for (InboxBatch.Recorded recorded : decided.recorded()) {
            inbox.putIfAbsent(recorded.event().envelope().id(), recorded.applied());
        }
        decided.moved().forEach((key, mark) -> watermarks.put(memoryKey(key), mark));
        // What is written in between, in the same transaction, nobody sees.
        Map<String, Long> shown = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            InboxEvent event = batch.get(i);
            require(
                    decided.decisions().get(i) != GateDecision.CONFLICT,
                    () -> "a copy of " + event.key() + " passes for another content");
            if (decided.decisions().get(i) == GateDecision.APPLY) {
                shown.put(event.key(), event.envelope().aggregateVersion());
            }
        }
        shown.forEach((key, version) -> {
            Long before = documents.put(key, version);
            require(
                    before == null || before <= version,
                    () -> key + " went back from version " + before + " to " + version);
        });
    }

    /** Kafka takes an offset from a member of the present generation only. */
    private void commitOffset(int joined, int to) {
        if (joined == generation) {
            offset = Math.max(offset, to);
        }
    }

    private void crash(int me) {
        simulation.note("consumer " + me + " crashes");
        simulation.after(simulation.delayMs(10, 1_000), () -> poll(me));
    }

    private void audit() {
        require(offset == log.size(), "the group rests at " + offset + " of " + log.size());
        committed.forEach((key, version) -> require(
                version.equals(documents.get(key)), key + " shows " + documents.get(key) + " instead of " + version));
        for (InboxEvent event : log) {
            require(inbox.containsKey(event.envelope().id()), "an event left no trace: " + event.key());
        }
    }
}
