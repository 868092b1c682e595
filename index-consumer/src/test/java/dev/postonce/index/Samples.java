package dev.postonce.index;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.GroupState;
import dev.postonce.contract.KeyState;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;

/** Events as ingest-service writes them. */
public final class Samples {

    public static final Secret PEPPER = Secret.of("pepper-of-the-tests");
    private static final Ids IDS = Ids.random();

    private Samples() {}

    public static TaskState task(String tenant, String id, long version, String title) {
        return task(tenant, id, version, title, "<p>正文 body of " + id + "</p>", false);
    }

    public static TaskState task(String tenant, String id, long version, String title, String html, boolean deleted) {
        return withDigest(new TaskState(
                tenant,
                "0197a000-0000-7000-8000-000000000001",
                id,
                version,
                deleted ? "archived" : "active",
                deleted,
                null,
                "brand_official",
                title,
                html,
                null,
                null,
                "summary of " + id,
                List.of("tag-" + id),
                null,
                List.of("wordpress"),
                null,
                null,
                null,
                null,
                "zh",
                null,
                "a".repeat(64),
                ""));
    }

    private static TaskState withDigest(TaskState s) {
        return new TaskState(
                s.tenantId(),
                s.taskId(),
                s.externalId(),
                s.version(),
                s.status(),
                s.deleted(),
                s.businessRefId(),
                s.groupCode(),
                s.title(),
                s.contentHtml(),
                s.contentMd(),
                s.coverUrl(),
                s.summary(),
                s.tags(),
                s.category(),
                s.targetPlatforms(),
                s.canonicalUrl(),
                s.publishAt(),
                s.site(),
                s.slug(),
                s.language(),
                s.translationKey(),
                s.articleDigest(),
                Digests.ofState(s));
    }

    public static GroupState group(String tenant, String normalizedId, long version, String name, boolean deleted) {
        GroupState bare = new GroupState(
                tenant,
                "0197a000-0000-7000-8000-000000000002",
                "submit_index",
                normalizedId,
                "@" + normalizedId.substring(2),
                version,
                deleted,
                name,
                "description of " + name,
                List.of("group"),
                null,
                "en",
                null,
                "");
        return new GroupState(
                bare.tenantId(),
                bare.id(),
                bare.operation(),
                bare.normalizedGroupId(),
                bare.groupId(),
                version,
                deleted,
                bare.name(),
                bare.description(),
                bare.tags(),
                null,
                bare.language(),
                null,
                Digests.ofState(bare));
    }

    public static KeyState key(String tenant, ApiKeyToken token, long version, boolean deleted, String... scopes) {
        KeyState bare = new KeyState(
                tenant, token.keyId(), version, deleted, tenant + "-cli", token.digest(PEPPER), List.of(scopes), "");
        return new KeyState(
                tenant,
                bare.keyId(),
                version,
                deleted,
                bare.clientId(),
                bare.secretDigest(),
                bare.scopes(),
                Digests.ofState(bare));
    }

    public static ApiKeyToken token(String keyId) {
        return ApiKeyToken.generate("test", keyId, new Random(keyId.hashCode()));
    }

    public static EventEnvelope event(TaskState state) {
        return event(
                EventType.TASK_STATE, RecordKey.ofTask(state.tenantId(), state.externalId()), state.version(), state);
    }

    public static EventEnvelope event(GroupState state) {
        RecordKey key = RecordKey.ofGroup(state.tenantId(), state.operation(), state.normalizedGroupId());
        return event(EventType.GROUP_STATE, key, state.version(), state);
    }

    public static EventEnvelope event(KeyState state) {
        return event(EventType.KEY_STATE, new RecordKey(state.tenantId(), state.keyId()), state.version(), state);
    }

    private static EventEnvelope event(EventType type, RecordKey key, long version, Object state) {
        return new EventEnvelope(
                IDS.next(),
                type.ceType(),
                "/postonce/ingest",
                key.aggregateId(),
                Instant.now(),
                key,
                version,
                null,
                EventJson.write(state));
    }

    public static ProducerRecord<byte[], byte[]> record(EventEnvelope event) {
        String topic = EventType.of(event.type()).map(EventType::topic).orElseThrow();
        return KafkaEventCodec.encode(topic, event);
    }

    public static ConsumerRecord<byte[], byte[]> consumed(EventEnvelope event, long offset) {
        return consumed(record(event), offset);
    }

    public static ConsumerRecord<byte[], byte[]> consumed(ProducerRecord<byte[], byte[]> sent, long offset) {
        byte[] value = sent.value();
        return new ConsumerRecord<>(
                sent.topic(),
                0,
                offset,
                System.currentTimeMillis(),
                TimestampType.CREATE_TIME,
                0,
                value == null ? 0 : value.length,
                sent.key(),
                value,
                sent.headers(),
                Optional.empty());
    }
}
