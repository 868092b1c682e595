package dev.postonce.messaging;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.UndecodableEventException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** CloudEvents 1.0, Kafka protocol binding, binary mode: attributes are headers, the data is the value. */
public final class KafkaEventCodec {

    public static final String CONTENT_TYPE = "application/json; charset=utf-8";

    private KafkaEventCodec() {}

    /** A record without a partition: the key decides it, so one key's events stay in order. */
    public static ProducerRecord<byte[], byte[]> encode(String topic, EventEnvelope event) {
        String key = event.recordKey().toString();
        ProducerRecord<byte[], byte[]> kafkaRecord = new ProducerRecord<>(topic, utf8(key), utf8(event.data()));
        Headers headers = kafkaRecord.headers();
        headers.add("ce_specversion", utf8("1.0"));
        headers.add("ce_id", utf8(event.id().toString()));
        headers.add("ce_source", utf8(event.source()));
        headers.add("ce_type", utf8(event.type()));
        headers.add("ce_subject", utf8(event.subject()));
        headers.add("ce_time", utf8(event.time().toString()));
        headers.add("ce_partitionkey", utf8(key));
        headers.add("ce_aggregateversion", utf8(Long.toString(event.aggregateVersion())));
        headers.add("content-type", utf8(CONTENT_TYPE));
        if (event.traceparent() != null) {
            headers.add("ce_traceparent", utf8(event.traceparent()));
            headers.add("traceparent", utf8(event.traceparent()));
        }
        return kafkaRecord;
    }

    /**
     * @throws UndecodableEventException if a required attribute is missing or malformed, or the key is not the
     *     partition key; the record is parked
     */
    public static EventEnvelope decode(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        if (kafkaRecord.value() == null || kafkaRecord.key() == null) {
            throw new UndecodableEventException("a record without key or value is no event", null);
        }
        Headers headers = kafkaRecord.headers();
        if (!required(headers, "ce_specversion").equals("1.0")) {
            throw new UndecodableEventException("not CloudEvents 1.0", null);
        }
        String key = text(kafkaRecord.key());
        if (!required(headers, "ce_partitionkey").equals(key)) {
            throw new UndecodableEventException("the record's key is not its ce_partitionkey", null);
        }
        try {
            return new EventEnvelope(
                    uuid(required(headers, "ce_id")),
                    required(headers, "ce_type"),
                    required(headers, "ce_source"),
                    required(headers, "ce_subject"),
                    Instant.parse(required(headers, "ce_time")),
                    RecordKey.parse(key),
                    Long.parseLong(required(headers, "ce_aggregateversion")),
                    optional(headers, "ce_traceparent"),
                    text(kafkaRecord.value()));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new UndecodableEventException("a malformed attribute: " + e.getMessage(), e);
        }
    }

    private static String required(Headers headers, String name) {
        String value = optional(headers, name);
        if (value == null) {
            throw new UndecodableEventException("header " + name + " is missing", null);
        }
        return value;
    }

    private static @Nullable String optional(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : text(header.value());
    }

    private static UUID uuid(String text) {
        UUID id = UUID.fromString(text);
        if (!id.toString().equalsIgnoreCase(text)) {
            // fromString takes 1-1-1-1-1 as well.
            throw new IllegalArgumentException("not a UUID: " + text);
        }
        return id;
    }

    /** Strict: bytes that are no UTF-8 would otherwise turn into question marks, and be applied as such. */
    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndecodableEventException("not UTF-8", e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
