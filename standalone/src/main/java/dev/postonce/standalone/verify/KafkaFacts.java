package dev.postonce.standalone.verify;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventType;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.UndecodableFact;
import dev.postonce.messaging.KafkaEventCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** Reads the state topics from their beginning to their present end, as nobody's group; commits nothing. */
final class KafkaFacts {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);
    private static final JsonFactory JSON = new JsonFactory();

    private KafkaFacts() {}

    static void read(String bootstrap, KeyFilter filter, FactSink sink, TopicTally tally) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "postonce-verify");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            List<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            drain(consumer, consumer.endOffsets(partitions), topicRecord -> {
                tally.seen(topicRecord.topic(), topicRecord.partition(), topicRecord.timestamp());
                read(topicRecord, filter, sink);
            });
        } catch (KafkaException e) {
            throw new CouldNotReadException("Kafka at " + bootstrap + " could not be read: " + e.getMessage(), e);
        }
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        Map<String, List<PartitionInfo>> topics = consumer.listTopics();
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : AggregateKinds.TOPICS) {
            List<PartitionInfo> found = topics.get(topic);
            if (found == null) {
                throw new CouldNotReadException(
                        "topic " + topic + " does not exist; the topic admin step makes it, and the relay fills it");
            }
            found.forEach(partition -> partitions.add(new TopicPartition(topic, partition.partition())));
        }
        return partitions;
    }

    private static void drain(
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        List<TopicPartition> open = new ArrayList<>(ends.keySet());
        long lastProgress = System.nanoTime();
        while (true) {
            open.removeIf(partition -> consumer.position(partition) >= end(ends, partition));
            if (open.isEmpty()) {
                return;
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], byte[]> topicRecord : records) {
                TopicPartition partition = new TopicPartition(topicRecord.topic(), topicRecord.partition());
                if (topicRecord.offset() < end(ends, partition)) {
                    reader.accept(topicRecord);
                }
            }
            if (!records.isEmpty()) {
                lastProgress = System.nanoTime();
            } else if (System.nanoTime() - lastProgress > SILENCE_MAX.toNanos()) {
                throw new CouldNotReadException(
                        "Kafka gave nothing of " + open + " for " + SILENCE_MAX.toSeconds() + " s");
            }
        }
    }

    private static long end(Map<TopicPartition, Long> ends, TopicPartition partition) {
        Long end = ends.get(partition);
        return end == null ? 0 : end;
    }

    private static void read(ConsumerRecord<byte[], byte[]> topicRecord, KeyFilter filter, FactSink sink) {
        String reason;
        try {
            EventEnvelope event = KafkaEventCodec.decode(topicRecord);
            String topic = EventType.of(event.type()).map(EventType::topic).orElse("");
            String tenant = tenantOf(topicRecord.value());
            if (topic.equals(topicRecord.topic()) && tenant != null) {
                AggregateKey key = new AggregateKey(
                        AggregateKinds.ofTopic(topic), event.recordKey().toString());
                if (filter.takes(key)) {
                    sink.topicRecord(new RecordFact(
                            key,
                            event.id(),
                            event.aggregateVersion(),
                            event.time().toEpochMilli(),
                            topicRecord.partition(),
                            topicRecord.offset(),
                            Fingerprint.ofHex(Digests.sha256Hex(topicRecord.value())),
                            tenant,
                            topicRecord.timestamp()));
                }
                return;
            }
            reason = tenant == null ? "its data names no tenant" : "type " + event.type() + " does not belong here";
        } catch (UndecodableEventException e) {
            reason = String.valueOf(e.getMessage());
        }
        if (filter.takesAll()) {
            sink.undecodable(new UndecodableFact(
                    topicRecord.topic(),
                    topicRecord.partition(),
                    topicRecord.offset(),
                    reason,
                    topicRecord.timestamp()));
        }
    }

    /** The top-level {@code tenant_id}; null if there is none, or the value is no JSON up to there. */
    private static @Nullable String tenantOf(byte[] value) {
        try (JsonParser parser = JSON.createParser(tools.jackson.core.ObjectReadContext.empty(), value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (name.equals("tenant_id")) {
                    return token == JsonToken.VALUE_STRING ? parser.getString() : null;
                }
                parser.skipChildren();
            }
            return null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
