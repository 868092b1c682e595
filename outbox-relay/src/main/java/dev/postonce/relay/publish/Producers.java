package dev.postonce.relay.publish;

import dev.postonce.contract.Topics;
import dev.postonce.messaging.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The one kind of producer: idempotent, all in-sync replicas, and with an end to every wait. */
public final class Producers {

    private static final int LINGER_MS = 5;
    private static final Duration METADATA_WAIT = Duration.ofSeconds(10);

    private Producers() {}

    /**
     * @param deliveryTimeout after which a record counts as failed, and is sent again by a new producer
     */
    public static Producer<byte[], byte[]> create(KafkaAccess access, String clientId, Duration deliveryTimeout) {
        int deliveryMs = Math.toIntExact(deliveryTimeout.toMillis());
        Map<String, Object> settings = access.settings();
        settings.putAll(Map.ofEntries(
                Map.entry(ProducerConfig.CLIENT_ID_CONFIG, clientId),
                Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
                Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
                Map.entry(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5),
                Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMs),
                Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(10_000, deliveryMs / 2)),
                Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(METADATA_WAIT.toMillis(), deliveryMs)),
                Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4"),
                Map.entry(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS),
                Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, 131_072),
                Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MESSAGE_BYTES_MAX)));
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
