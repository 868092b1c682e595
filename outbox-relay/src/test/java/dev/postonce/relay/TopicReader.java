package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything that is on a topic, in the order of each partition, and the guarantees over it. */
final class TopicReader implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<EventEnvelope> events = new ArrayList<>();
    private final Set<UUID> ids = new HashSet<>();

    TopicReader(String... topics) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        TestInfra.kafkaBootstrap(),
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads on until the present end. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
    }

    List<EventEnvelope> events() {
        List<ConsumerRecord<byte[], byte[]>> all = records();
        for (ConsumerRecord<byte[], byte[]> next : all.subList(events.size(), all.size())) {
            EventEnvelope event = KafkaEventCodec.decode(next);
            events.add(event);
            ids.add(event.id());
        }
        return events;
    }

    Set<UUID> ids() {
        events();
        return ids;
    }

    void awaitIds(Collection<UUID> expected, int seconds) {
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofSeconds(seconds))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(missing(expected)).isEmpty());
    }

    private Set<UUID> missing(Collection<UUID> expected) {
        Set<UUID> missing = new HashSet<>(expected);
        missing.removeAll(ids());
        return missing;
    }

    /** I5: per key, first appearances have rising versions, and the last copy is the newest version. */
    void assertOrder() {
        Map<String, Long> newest = new HashMap<>();
        Map<String, Long> last = new HashMap<>();
        Set<UUID> seen = new HashSet<>();
        for (EventEnvelope event : events()) {
            String key = event.recordKey().toString();
            if (seen.add(event.id())) {
                assertThat(event.aggregateVersion())
                        .as("first appearance of %s of %s", event.id(), key)
                        .isGreaterThan(newest.getOrDefault(key, 0L));
                newest.put(key, event.aggregateVersion());
            }
            last.put(key, event.aggregateVersion());
        }
        assertThat(last).isEqualTo(newest);
    }

    /**
     * @return how many records there are beyond one for each event
     */
    int assertCopiesAreExact() {
        Map<UUID, ConsumerRecord<byte[], byte[]>> first = new LinkedHashMap<>();
        int copies = 0;
        for (ConsumerRecord<byte[], byte[]> record : records()) {
            ConsumerRecord<byte[], byte[]> known =
                    first.putIfAbsent(KafkaEventCodec.decode(record).id(), record);
            if (known != null) {
                copies++;
                assertThat(record.value()).isEqualTo(known.value());
                assertThat(record.key()).isEqualTo(known.key());
                assertThat(record.partition()).isEqualTo(known.partition());
                assertThat(record.headers()).isEqualTo(known.headers());
            }
        }
        return copies;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
