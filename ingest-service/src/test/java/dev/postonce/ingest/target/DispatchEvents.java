package dev.postonce.ingest.target;

import dev.postonce.contract.Digests;
import dev.postonce.contract.DispatchState;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.KafkaEventCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records as the relay publishes them for the dispatcher. */
final class DispatchEvents {

    private static final Instant START = Instant.parse("2026-11-11T00:00:00Z");

    private DispatchEvents() {}

    /** @param nonce tells two events of one version apart: another nonce is another content */
    static ProducerRecord<byte[], byte[]> of(
            String tenantId, String externalId, String platform, long version, String state, String nonce) {
        DispatchState blank = state(tenantId, externalId, platform, version, state, nonce, "");
        DispatchState data = state(tenantId, externalId, platform, version, state, nonce, Digests.ofState(blank));
        return encode(data, nonce);
    }

    /** A post that is shown under one address, whatever its version. */
    static ProducerRecord<byte[], byte[]> shown(
            String tenantId, String externalId, String platform, long version, long taskVersion) {
        DispatchState blank = shown(tenantId, externalId, platform, version, taskVersion, "");
        return encode(shown(tenantId, externalId, platform, version, taskVersion, Digests.ofState(blank)), "shown");
    }

    private static DispatchState shown(
            String tenantId, String externalId, String platform, long version, long taskVersion, String digest) {
        return new DispatchState(
                tenantId,
                externalId,
                platform,
                "main",
                version,
                false,
                taskVersion,
                taskVersion,
                "published",
                "post",
                "https://blog.example.com/" + externalId,
                START.plusSeconds(version),
                null,
                null,
                START.plusSeconds(version),
                digest);
    }

    private static ProducerRecord<byte[], byte[]> encode(DispatchState data, String nonce) {
        String aggregateId = data.externalId() + "/" + data.platform();
        String key = data.tenantId() + ":" + aggregateId;
        UUID id = UUID.nameUUIDFromBytes((key + data.version() + nonce).getBytes(StandardCharsets.UTF_8));
        return KafkaEventCodec.encode(
                Topics.DISPATCH,
                new EventEnvelope(
                        id,
                        EventType.DISPATCH_STATE.ceType(),
                        "/postonce/dispatch",
                        aggregateId,
                        data.changedAt(),
                        RecordKey.parse(key),
                        data.version(),
                        null,
                        EventJson.write(data)));
    }

    private static DispatchState state(
            String tenantId,
            String externalId,
            String platform,
            long version,
            String state,
            String nonce,
            String digest) {
        boolean published = state.equals("published");
        return new DispatchState(
                tenantId,
                externalId,
                platform,
                "main",
                version,
                false,
                1,
                published ? 1L : null,
                state,
                published ? "post-" + nonce : null,
                published ? "https://blog.example.com/" + externalId + "/" + version : null,
                published ? START.plusSeconds(version) : null,
                state.equals("failed") ? "platform_refused" : null,
                state.equals("failed") ? "标题太长" + nonce : null,
                START.plusSeconds(version),
                digest);
    }
}
