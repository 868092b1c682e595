package dev.postonce.ingest.intake;

import dev.postonce.contract.SubmitSignature;
import dev.postonce.contract.SubmitType;
import dev.postonce.contract.Topics;
import dev.postonce.ingest.Intake;
import dev.postonce.testinfra.TestInfra;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import tools.jackson.databind.JsonNode;

/** An upstream that writes to the intake topic, and reads what was rejected. */
final class SubmitTopic implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", TestInfra.kafkaBootstrap(), "acks", "all", "max.request.size", 2_000_000),
            new ByteArraySerializer(),
            new ByteArraySerializer());

    /** Only the two that are needed: another test begins without the project's other topics. */
    static void create() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()))) {
            for (Topics.Spec spec : Topics.all()) {
                if (spec.name().startsWith("postonce.submit.")) {
                    NewTopic topic = new NewTopic(spec.name(), spec.partitions(), (short) 1).configs(spec.settings());
                    try {
                        admin.createTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
                    } catch (ExecutionException e) {
                        if (!(e.getCause() instanceof TopicExistsException)) {
                            throw e;
                        }
                    }
                }
            }
        }
    }

    /** Under the test tenant's secret; the request id that its audit row has. */
    String send(SubmitType type, String id, Object value) {
        return send(type, id, value, Intake.INTAKE_KEY_ID, Intake.INTAKE_SECRET);
    }

    String send(SubmitType type, String id, Object value, String keyId, String secret) {
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        return send(type.ceType(), id, bytes, keyId, SubmitSignature.of(secret, id, type.ceType(), bytes));
    }

    String send(String type, String id, byte[] value, String keyId, String signature) {
        ProducerRecord<byte[], byte[]> one = new ProducerRecord<>(Topics.SUBMIT, utf8(id), value);
        one.headers().add("ce_specversion", utf8("1.0"));
        one.headers().add("ce_id", utf8(id));
        one.headers().add("ce_source", utf8("/test"));
        one.headers().add("ce_type", utf8(type));
        one.headers().add(SubmitSignature.KEY_ID_HEADER, utf8(keyId));
        one.headers().add(SubmitSignature.HEADER, utf8(signature));
        try {
            RecordMetadata where = producer.send(one).get(30, TimeUnit.SECONDS);
            return where.topic() + ":" + where.partition() + ":" + where.offset();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** How far the group's committed offset lies behind a record: 0 or less while that record is still to be read. */
    static long committedBehind(String requestId) throws Exception {
        String[] place = requestId.split(":");
        TopicPartition partition = new TopicPartition(place[0], Integer.parseInt(place[1]));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()))) {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(IntakeConfiguration.GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS)
                    .get(partition);
            return committed == null ? -1 : committed.offset() - Long.parseLong(place[2]);
        }
    }

    /** As if the group had never been; how many records it will find. */
    static long forgetOffsets() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()));
                KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            admin.deleteConsumerGroups(List.of(IntakeConfiguration.GROUP)).all().get(30, TimeUnit.SECONDS);
            List<TopicPartition> partitions = partitionsOf(consumer, Topics.SUBMIT);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            return consumer.endOffsets(partitions).entrySet().stream()
                    .mapToLong(end -> end.getValue() - begins.get(end.getKey()))
                    .sum();
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitionsOf(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    /** Every problem document that is on the rejected topic. */
    static List<JsonNode> rejected() {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            List<TopicPartition> partitions = partitionsOf(consumer, Topics.SUBMIT_REJECTED);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<JsonNode> problems = new ArrayList<>();
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
                for (ConsumerRecord<byte[], byte[]> one : consumer.poll(Duration.ofMillis(200))) {
                    problems.add(Intake.JSON.readTree(new String(one.value(), StandardCharsets.UTF_8)));
                }
            }
            return problems;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
