package dev.postonce.ingest.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.TargetState;
import dev.postonce.contract.UndecodableEventException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class TargetEventTest {

    @Test
    void an_event_is_read() {
        TargetEvent event = TargetEvent.decode(record(data -> data, "dev:a/wordpress"));
        assertThat(event.state()).isEqualTo(TargetState.PUBLISHED);
        assertThat(event.task()).isEqualTo(new TargetEvent.TaskId("dev", "a"));
    }

    @Test
    void data_of_another_tenant_or_target_than_the_keys_is_refused() {
        assertRefused(record(data -> data, "mall:a/wordpress"));
        assertRefused(record(data -> data, "dev:b/wordpress"));
        assertRefused(record(data -> data, "dev:a/webhook"));
    }

    @Test
    void what_is_missing_unknown_or_contradictory_is_refused() {
        assertRefused(record(data -> "{}", "dev:a/wordpress"));
        assertRefused(record(data -> "[]", "dev:a/wordpress"));
        assertRefused(record(data -> data.replace("published", "indexed"), "dev:a/wordpress"));
        assertRefused(record(data -> data.replace("\"version\":3", "\"version\":4"), "dev:a/wordpress"));
        assertRefused(record(data -> data.replace("\"content_digest\"", "\"other\""), "dev:a/wordpress"));
        assertRefused(record(data -> data.replace("\"changed_at\"", "\"other\""), "dev:a/wordpress"));
    }

    @Test
    void another_type_is_refused() {
        ConsumerRecord<byte[], byte[]> record = record(data -> data, "dev:a/wordpress");
        record.headers().remove("ce_type").add("ce_type", "a.b".getBytes(StandardCharsets.UTF_8));
        assertRefused(record);
    }

    private static void assertRefused(ConsumerRecord<byte[], byte[]> record) {
        assertThatThrownBy(() -> TargetEvent.decode(record)).isInstanceOf(UndecodableEventException.class);
    }

    private static ConsumerRecord<byte[], byte[]> record(UnaryOperator<String> change, String key) {
        ProducerRecord<byte[], byte[]> sent = DispatchEvents.of("dev", "a", "wordpress", 3, "published", "1");
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        String data = change.apply(new String(sent.value(), StandardCharsets.UTF_8));
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>(sent.topic(), 0, 0, keyBytes, data.getBytes(StandardCharsets.UTF_8));
        sent.headers().forEach(record.headers()::add);
        record.headers().remove("ce_partitionkey").add("ce_partitionkey", keyBytes);
        return record;
    }
}
