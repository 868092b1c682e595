package dev.postonce.systemtests.workload;

import dev.postonce.contract.SubmitSignature;
import dev.postonce.contract.SubmitType;
import dev.postonce.contract.Topics;
import dev.postonce.ingest.intake.IntakeConfiguration;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An upstream that submits by records, and knows how far they were read. */
final class IntakeTopic implements AutoCloseable {

    private static final Duration STEP = Duration.ofSeconds(6);

    private final Cluster cluster;
    private final KafkaProducer<byte[], byte[]> producer;
    /** The last record of each partition that Kafka took. */
    private final Map<TopicPartition, Long> taken = new ConcurrentHashMap<>();

    IntakeTopic(Cluster cluster) {
        this.cluster = cluster;
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        cluster.brokers().bootstrap(),
                        "acks",
                        "all",
                        "linger.ms",
                        0,
                        "max.block.ms",
                        STEP.toMillis(),
                        "request.timeout.ms",
                        2_000,
                        "delivery.timeout.ms",
                        (int) STEP.toMillis()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** @return whether Kafka said that it has it; without that it may have it too */
    boolean send(Request request) throws InterruptedException {
        String type = SubmitType.TASK_SUBMIT.ceType();
        byte[] value = utf8(request.body());
        String secret = cluster.tenants().intakeSecret(request.tenant()).reveal();
        ProducerRecord<byte[], byte[]> one = new ProducerRecord<>(Topics.SUBMIT, utf8(request.subject()), value);
        one.headers().add("ce_specversion", utf8("1.0"));
        one.headers().add("ce_id", utf8(request.idempotencyKey()));
        one.headers().add("ce_source", utf8("/workload"));
        one.headers().add("ce_type", utf8(type));
        one.headers().add(SubmitSignature.KEY_ID_HEADER, utf8(cluster.tenants().intakeKeyId(request.tenant())));
        one.headers()
                .add(SubmitSignature.HEADER, utf8(SubmitSignature.of(secret, request.idempotencyKey(), type, value)));
        try {
            RecordMetadata at = producer.send(one).get(STEP.toMillis(), TimeUnit.MILLISECONDS);
            taken.merge(new TopicPartition(at.topic(), at.partition()), at.offset(), Math::max);
            return true;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            return false;
        }
    }

    /** @return whether everything that Kafka took was read to its end in time */
    boolean awaitRead(Duration within) {
        try (Admin admin = cluster.brokers().admin()) {
            return Patience.until(within, () -> isRead(admin));
        }
    }

    private boolean isRead(Admin admin) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        try {
            committed.putAll(admin.listConsumerGroupOffsets(IntakeConfiguration.GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get(STEP.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
        return taken.entrySet().stream().allMatch(last -> {
            OffsetAndMetadata offset = committed.get(last.getKey());
            return offset != null && offset.offset() > last.getValue();
        });
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
    }
}
