package dev.postonce.ingest.intake;

import dev.postonce.contract.SubmitType;
import dev.postonce.contract.Topics;
import dev.postonce.ingest.intake.SubmitRecord.Place;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.runtime.ClockWatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what was refused for good. A record that is read again is told again under the same id. The refused value is
 * not repeated: it may hold anything, and stands where the problem says.
 */
final class KafkaRejections implements ClockWatch.Listener, AutoCloseable {

    private static final long ANSWER_S = 30;

    /** @param key of the refused record, so that its sender's partition is kept */
    record Rejection(byte @Nullable [] key, SubmitRecord submission, Exchange exchange, ObjectNode problem) {}

    private final Map<String, Object> settings;
    private final InstantSource clock;
    private final AtomicReference<@Nullable KafkaProducer<byte[], byte[]>> producer = new AtomicReference<>();

    KafkaRejections(Map<String, Object> settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Returns once all are acknowledged.
     *
     * @throws KafkaException if they may not be; the same again does no harm
     */
    synchronized void tell(List<Rejection> rejections) {
        if (rejections.isEmpty()) {
            return;
        }
        KafkaProducer<byte[], byte[]> known = producer.get();
        KafkaProducer<byte[], byte[]> sender = known == null ? open() : known;
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try {
            rejections.forEach(rejection -> sent.add(sender.send(recordOf(rejection))));
            for (Future<RecordMetadata> one : sent) {
                one.get(ANSWER_S, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            // Some errors stay with a producer for good, such as that Kafka did not know it once.
            close(Duration.ZERO);
            throw new KafkaException("a rejection was not acknowledged", e);
        } catch (IllegalStateException e) {
            throw new KafkaException("the producer was closed while a rejection was sent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while a rejection was sent", e);
        }
    }

    private KafkaProducer<byte[], byte[]> open() {
        KafkaProducer<byte[], byte[]> opened =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.set(opened);
        return opened;
    }

    /** What is being sent fails, and is told again under the same id by another producer. */
    @Override
    public void clockSetBack() {
        close(Duration.ZERO);
    }

    private ProducerRecord<byte[], byte[]> recordOf(Rejection rejection) {
        Place place = rejection.submission().place();
        @Nullable Principal client = rejection.exchange().principal();
        ObjectNode value = rejection.problem().deepCopy();
        ObjectNode refused = value.putObject("refused")
                .put("topic", place.topic())
                .put("partition", place.partition())
                .put("offset", place.offset())
                .put("ce_id", rejection.submission().id())
                .put("ce_type", rejection.submission().type());
        if (client != null) {
            refused.put("tenant_id", client.tenantId()).put("client_id", client.clientId());
        }
        ProducerRecord<byte[], byte[]> kafkaRecord =
                new ProducerRecord<>(Topics.SUBMIT_REJECTED, rejection.key(), utf8(value.toString()));
        Headers headers = kafkaRecord.headers();
        headers.add("ce_specversion", utf8("1.0"));
        headers.add(
                "ce_id", utf8(UUID.nameUUIDFromBytes(utf8(place.requestId())).toString()));
        headers.add("ce_source", utf8("/postonce/ingest"));
        headers.add("ce_type", utf8(SubmitType.REJECTED));
        headers.add("ce_time", utf8(clock.instant().toString()));
        headers.add("content-type", utf8("application/problem+json; charset=utf-8"));
        return kafkaRecord;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        close(Duration.ofSeconds(5));
    }

    private void close(Duration within) {
        KafkaProducer<byte[], byte[]> current = producer.getAndSet(null);
        if (current != null) {
            current.close(within);
        }
    }
}
