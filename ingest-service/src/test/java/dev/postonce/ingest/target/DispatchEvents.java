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
        String key = tenantId + ":" + externalId + "/" + platform;
        UUID id = UUID.nameUUIDFromBytes((key + version + nonce).getBytes(StandardCharsets.UTF_8));
        return KafkaEventCodec.encode(
                Topics.DISPATCH,
                new EventEnvelope(
                        id,
                        EventType.DISPATCH_STATE.ceType(),
                        "/postonce/dispatch",
                        externalId + "/" + platform,
                        data.changedAt(),
                        RecordKey.parse(key),
                        version,
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
                state.equals("failed") ? "标题太长" : null,
                START.plusSeconds(version),
                digest);
    }
}
