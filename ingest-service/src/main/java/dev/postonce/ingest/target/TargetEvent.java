package dev.postonce.ingest.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TargetState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.messaging.InboxEvent;
import dev.postonce.messaging.KafkaEventCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One record of {@code postonce.dispatch.v1} that could be read. */
record TargetEvent(
        ConsumerRecord<byte[], byte[]> kafkaRecord, EventEnvelope envelope, DispatchState data, TargetState state) {

    /** @throws UndecodableEventException if it is not what it says it is; the record is parked */
    static TargetEvent decode(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        EventEnvelope envelope = KafkaEventCodec.decode(kafkaRecord);
        if (!envelope.type().equals(EventType.DISPATCH_STATE.ceType())) {
            throw new UndecodableEventException("unknown ce_type " + envelope.type(), null);
        }
        DispatchState data = EventJson.read(envelope.data(), DispatchState.class);
        require(data.tenantId() != null && data.externalId() != null && data.platform() != null, "identity is missing");
        require(data.changedAt() != null && data.contentDigest() != null, "changed_at or content_digest is missing");
        require(data.taskVersion() > 0, "task_version is missing");
        // Who owns an event is told by its key; data of another tenant under it would reach a stranger's task.
        RecordKey key = envelope.recordKey();
        require(key.tenantId().equals(data.tenantId()), "the key's tenant is not the data's");
        require(key.aggregateId().equals(data.externalId() + "/" + data.platform()), "the key is not the data's");
        require(envelope.aggregateVersion() == data.version(), "ce_aggregateversion is not the data's version");
        TargetState state = TargetState.of(String.valueOf(data.state()))
                .orElseThrow(() -> new UndecodableEventException("unknown state " + data.state(), null));
        return new TargetEvent(kafkaRecord, envelope, data, state);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new UndecodableEventException(otherwise, null);
        }
    }

    InboxEvent atTheGate() {
        return new InboxEvent(envelope, data.contentDigest());
    }

    TaskId task() {
        return new TaskId(data.tenantId(), data.externalId());
    }

    String key() {
        return envelope.recordKey().toString();
    }

    /** The task that a target belongs to. */
    record TaskId(String tenantId, String externalId) {}
}
