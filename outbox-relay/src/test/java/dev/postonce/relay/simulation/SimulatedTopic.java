package dev.postonce.relay.simulation;

import static dev.postonce.testinfra.simulation.Simulation.require;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.testinfra.simulation.Simulation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What Kafka has: all copies, in the order in which they came. */
final class SimulatedTopic {

    /** One record as a reader sees it. */
    record Seen(UUID eventId, String key, long version, String data) {}

    private final Simulation simulation;
    final List<Seen> records = new ArrayList<>();
    private final Map<UUID, Seen> firsts = new LinkedHashMap<>();

    SimulatedTopic(Simulation simulation) {
        this.simulation = simulation;
    }

    void append(ProducerRecord<byte[], byte[]> sent) {
        Seen seen = new Seen(
                UUID.fromString(header(sent, "ce_id")),
                text(sent.key()),
                Long.parseLong(header(sent, "ce_aggregateversion")),
                text(sent.value()));
        records.add(seen);
        Seen first = firsts.putIfAbsent(seen.eventId(), seen);
        require(first == null || first.equals(seen), () -> "a copy is not exact: " + seen);
        simulation.note("on the topic: " + seen.key() + " v" + seen.version() + (first == null ? "" : " again"));
    }

    /** What a follower had not fetched when it became the leader; with acks=all nothing that was acknowledged. */
    void loseTail(int most) {
        for (int i = 0; i < most && !records.isEmpty(); i++) {
            Seen lost = records.remove(records.size() - 1);
            if (records.stream().noneMatch(lost::equals)) {
                firsts.remove(lost.eventId());
            }
            simulation.note("lost from the topic: " + lost.key() + " v" + lost.version());
        }
    }

    boolean has(UUID eventId) {
        return firsts.containsKey(eventId);
    }

    /** Nothing invented, nothing lost, and first appearances of a key in rising versions. */
    void audit(List<OutboxRow> committed, Map<UUID, String> parked) {
        Map<UUID, OutboxRow> rows = new HashMap<>();
        committed.forEach(row -> rows.put(row.eventId(), row));
        Map<String, Long> highest = new HashMap<>();
        for (Seen seen : firsts.values()) {
            OutboxRow row = rows.get(seen.eventId());
            require(row != null && row.data().equals(seen.data()), () -> "never committed: " + seen);
            Long before = highest.put(seen.key(), seen.version());
            require(before == null || before < seen.version(), () -> seen + " first appeared after version " + before);
        }
        for (OutboxRow row : committed) {
            require(
                    firsts.containsKey(row.eventId()) || parked.containsKey(row.eventId()),
                    () -> "lost: " + row.recordKey() + " v" + row.aggregateVersion());
        }
    }

    private static String header(ProducerRecord<byte[], byte[]> sent, String name) {
        return text(sent.headers().lastHeader(name).value());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
