package dev.postonce.index.event;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.GroupState;
import dev.postonce.contract.KeyState;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.messaging.KafkaEventCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of the three topics. What the data says of tenant, id and version must be what the envelope
 * says: otherwise one tenant's key could carry another's document.
 */
public final class KafkaIndexEvents {

    /** Far above the longest id of the contract, far below the longest term of Lucene. */
    private static final int KEY_CHARACTERS_MAX = 1_000;

    private KafkaIndexEvents() {}

    /** @throws UndecodableEventException if no later try can read it */
    public static IndexEvent decode(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        EventEnvelope envelope = KafkaEventCodec.decode(kafkaRecord);
        checkKey(envelope.recordKey().toString());
        EventType type = EventType.of(envelope.type())
                .orElseThrow(() -> new UndecodableEventException("unknown event type " + envelope.type(), null));
        if (!type.topic().equals(kafkaRecord.topic())) {
            throw new UndecodableEventException(envelope.type() + " does not belong on this topic", null);
        }
        return switch (type) {
            case TASK_STATE -> ofTask(envelope);
            case GROUP_STATE -> ofGroup(envelope);
            case KEY_STATE -> ofKey(envelope);
            case DISPATCH_STATE -> throw new UndecodableEventException("the index takes no dispatch states", null);
        };
    }

    private static void checkKey(String key) {
        if (key.length() > KEY_CHARACTERS_MAX) {
            throw new UndecodableEventException("a record key longer than " + KEY_CHARACTERS_MAX, null);
        }
        if (key.chars().anyMatch(Character::isISOControl)) {
            throw new UndecodableEventException("a control character in the record key", null);
        }
    }

    private static IndexEvent.OfTask ofTask(EventEnvelope envelope) {
        TaskState state = EventJson.read(envelope.data(), TaskState.class);
        require("tenant_id", state.tenantId());
        require("external_id", state.externalId());
        require("title", state.title());
        require("content_html", state.contentHtml());
        require("tags", state.tags());
        require("content_digest", state.contentDigest());
        agree(envelope, RecordKey.ofTask(state.tenantId(), state.externalId()), state.version());
        return new IndexEvent.OfTask(envelope, state);
    }

    private static IndexEvent.OfGroup ofGroup(EventEnvelope envelope) {
        GroupState state = EventJson.read(envelope.data(), GroupState.class);
        require("tenant_id", state.tenantId());
        require("operation", state.operation());
        require("normalized_group_id", state.normalizedGroupId());
        require("group_id", state.groupId());
        require("tags", state.tags());
        require("content_digest", state.contentDigest());
        RecordKey key = RecordKey.ofGroup(state.tenantId(), state.operation(), state.normalizedGroupId());
        agree(envelope, key, state.version());
        return new IndexEvent.OfGroup(envelope, state);
    }

    private static IndexEvent.OfKey ofKey(EventEnvelope envelope) {
        KeyState state = EventJson.read(envelope.data(), KeyState.class);
        require("tenant_id", state.tenantId());
        require("key_id", state.keyId());
        require("client_id", state.clientId());
        require("secret_digest", state.secretDigest());
        require("scopes", state.scopes());
        require("content_digest", state.contentDigest());
        agree(envelope, new RecordKey(state.tenantId(), state.keyId()), state.version());
        return new IndexEvent.OfKey(envelope, state);
    }

    private static void require(String field, @Nullable Object value) {
        if (value == null) {
            throw new UndecodableEventException("event data without " + field, null);
        }
    }

    private static void agree(EventEnvelope envelope, RecordKey key, long version) {
        if (!envelope.recordKey().equals(key)) {
            throw new UndecodableEventException("the data is of another key than the record", null);
        }
        if (envelope.aggregateVersion() != version) {
            throw new UndecodableEventException("the data is of another version than the envelope", null);
        }
    }
}
