package dev.postonce.index.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.Topics;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.index.Samples;
import dev.postonce.messaging.KafkaEventCodec;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class KafkaIndexEventsTest {

    private static final TaskState TASK = Samples.task("t", "id", 1, "title");

    @Test
    void decodes_what_ingest_writes() {
        assertThat(KafkaIndexEvents.decode(Samples.consumed(Samples.event(TASK), 0)))
                .isInstanceOfSatisfying(IndexEvent.OfTask.class, event -> assertThat(event.state())
                        .isEqualTo(TASK));
        assertThat(KafkaIndexEvents.decode(
                        Samples.consumed(Samples.event(Samples.group("t", "u:some", 1, "n", false)), 0)))
                .isInstanceOf(IndexEvent.OfGroup.class);
        assertThat(KafkaIndexEvents.decode(
                        Samples.consumed(Samples.event(Samples.key("t", Samples.token("key1"), 1, false, "read")), 0)))
                .isInstanceOf(IndexEvent.OfKey.class);
    }

    @Test
    void refuses_what_no_later_try_could_read() {
        EventEnvelope good = Samples.event(TASK);
        List<ProducerRecord<byte[], byte[]>> bad = new ArrayList<>();
        bad.add(with(good, good.recordKey(), good.type(), 1, "not json"));
        bad.add(with(good, good.recordKey(), good.type(), 1, "null"));
        bad.add(with(good, good.recordKey(), good.type(), 1, "[]"));
        bad.add(with(good, good.recordKey(), good.type(), 1, good.data().replace("\"title\"", "\"titel\"")));
        bad.add(with(good, good.recordKey(), good.type(), 2, good.data()));
        bad.add(with(good, good.recordKey(), "dev.postonce.task.state.v9", 1, good.data()));
        bad.add(with(good, good.recordKey(), "dev.postonce.group.state.v1", 1, good.data()));
        // Another tenant's document under this tenant's key.
        bad.add(with(good, RecordKey.parse("other:id"), good.type(), 1, good.data()));
        bad.add(with(good, RecordKey.parse("t:" + "x".repeat(2_000)), good.type(), 1, good.data()));
        bad.add(with(good, RecordKey.parse("t:a\u0000b"), good.type(), 1, good.data()));
        ProducerRecord<byte[], byte[]> headerless = Samples.record(good);
        headerless.headers().remove("ce_id");
        bad.add(headerless);
        bad.add(new ProducerRecord<>(Topics.TASK, Samples.record(good).key(), null));
        for (ProducerRecord<byte[], byte[]> one : bad) {
            assertThatThrownBy(() -> KafkaIndexEvents.decode(Samples.consumed(one, 0)))
                    .isInstanceOf(UndecodableEventException.class);
        }
    }

    private static ProducerRecord<byte[], byte[]> with(
            EventEnvelope good, RecordKey key, String type, long version, String data) {
        return KafkaEventCodec.encode(
                Topics.TASK,
                new EventEnvelope(
                        good.id(), type, good.source(), good.subject(), good.time(), key, version, null, data));
    }
}
