package dev.postonce.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.UndecodableEventException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaEventCodecTest {

    private static final EventEnvelope EVENT = new EventEnvelope(
            UUID.fromString("019ad0c4-7d2b-7c3e-9a51-0d5b8f0e6a11"),
            "dev.postonce.task.state.v1",
            "/postonce/ingest",
            "kv_v2",
            Instant.parse("2026-11-11T00:00:00.000001Z"),
            RecordKey.ofTask("mall", "kv_v2"),
            3,
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "{\"title\":\"双11 🎉\"}");

    @Test
    void what_is_encoded_is_decoded_to_the_same() {
        assertThat(KafkaEventCodec.decode(record(null))).isEqualTo(EVENT);
        EventEnvelope untraced = new EventEnvelope(
                EVENT.id(),
                EVENT.type(),
                EVENT.source(),
                EVENT.subject(),
                EVENT.time(),
                EVENT.recordKey(),
                3,
                null,
                EVENT.data());
        ProducerRecord<byte[], byte[]> sent = KafkaEventCodec.encode("t", untraced);
        assertThat(sent.headers().lastHeader("traceparent")).isNull();
        assertThat(sent.headers().lastHeader("ce_traceparent")).isNull();
        assertThat(sent.partition()).isNull();
        assertThat(KafkaEventCodec.decode(received(sent, sent.key(), sent.value())))
                .isEqualTo(untraced);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ce_specversion",
                "ce_id",
                "ce_source",
                "ce_type",
                "ce_subject",
                "ce_time",
                "ce_partitionkey",
                "ce_aggregateversion"
            })
    void a_missing_attribute_is_named(String header) {
        ConsumerRecord<byte[], byte[]> damaged = record(null);
        damaged.headers().remove(header);
        assertThatThrownBy(() -> KafkaEventCodec.decode(damaged))
                .isInstanceOf(UndecodableEventException.class)
                .hasMessageContaining(header);
    }

    @ParameterizedTest
    @CsvSource({
        "ce_specversion, 0.3",
        "ce_id, 1-1-1-1-1",
        "ce_id, no-uuid",
        "ce_time, yesterday",
        "ce_aggregateversion, 0",
        "ce_aggregateversion, -1",
        "ce_aggregateversion, 1.5",
        "ce_aggregateversion, 99999999999999999999",
        "ce_partitionkey, mall:another"
    })
    void a_malformed_attribute_is_refused(String header, String value) {
        assertThatThrownBy(() -> KafkaEventCodec.decode(record(header, value.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(UndecodableEventException.class);
    }

    @Test
    void bytes_that_are_no_utf_8_are_refused_rather_than_replaced() {
        byte[] gbk = {(byte) 0xd5, (byte) 0xe2};
        assertThatThrownBy(() -> KafkaEventCodec.decode(record("ce_subject", gbk)))
                .isInstanceOf(UndecodableEventException.class);
        ProducerRecord<byte[], byte[]> sent = KafkaEventCodec.encode("t", EVENT);
        assertThatThrownBy(() -> KafkaEventCodec.decode(received(sent, sent.key(), gbk)))
                .isInstanceOf(UndecodableEventException.class);
    }

    @Test
    void a_record_without_key_or_value_and_one_of_no_tenant_is_refused() {
        ProducerRecord<byte[], byte[]> sent = KafkaEventCodec.encode("t", EVENT);
        assertThatThrownBy(() -> KafkaEventCodec.decode(received(sent, null, sent.value())))
                .isInstanceOf(UndecodableEventException.class);
        assertThatThrownBy(() -> KafkaEventCodec.decode(received(sent, sent.key(), null)))
                .isInstanceOf(UndecodableEventException.class);
        byte[] noTenant = "kv_v2".getBytes(StandardCharsets.UTF_8);
        ConsumerRecord<byte[], byte[]> record = received(sent, noTenant, sent.value());
        record.headers().remove("ce_partitionkey").add("ce_partitionkey", noTenant);
        assertThatThrownBy(() -> KafkaEventCodec.decode(record)).isInstanceOf(UndecodableEventException.class);
    }

    private static ConsumerRecord<byte[], byte[]> record(@Nullable String header, byte... value) {
        ProducerRecord<byte[], byte[]> sent = KafkaEventCodec.encode("t", EVENT);
        if (header != null) {
            sent.headers().remove(header).add(header, value);
        }
        return received(sent, sent.key(), sent.value());
    }

    private static ConsumerRecord<byte[], byte[]> received(
            ProducerRecord<byte[], byte[]> sent, byte @Nullable [] key, byte @Nullable [] value) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(sent.topic(), 0, 0, key, value);
        sent.headers().forEach(record.headers()::add);
        return record;
    }
}
