package dev.postonce.ingest.feed;

import dev.postonce.messaging.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;

/** What all feeds have in common: bytes, offsets that are committed by hand, and none that is guessed. */
public final class KafkaFeeds {

    /** How long Kafka may take to answer a question. */
    public static final int ASK_TIMEOUT_MS = 8_000;

    private static final Duration STOP_WAIT = Duration.ofSeconds(15);
    /** Within {@link #STOP_WAIT}, so that a consumer which cannot commit any more still ends in time. */
    private static final Duration COMMIT_WAIT = Duration.ofSeconds(10);

    private final KafkaProperties properties;
    private final KafkaAccess access;

    public KafkaFeeds(KafkaProperties properties, KafkaAccess access) {
        this.properties = properties;
        this.access = access;
    }

    public Map<String, Object> consumer(String group, int recordsMax) {
        Map<String, Object> consumer = new HashMap<>(properties.buildConsumerProperties());
        consumer.putAll(access.settings());
        consumer.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        consumer.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, recordsMax);
        consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return consumer;
    }

    /** @param listener acknowledges by hand */
    public static ContainerProperties container(String topic, String group, StartOffsets offsets, Object listener) {
        ContainerProperties container = new ContainerProperties(topic);
        container.setGroupId(group);
        container.setAckMode(ContainerProperties.AckMode.MANUAL);
        container.setSyncCommitTimeout(COMMIT_WAIT);
        container.setAssignmentCommitOption(ContainerProperties.AssignmentCommitOption.NEVER);
        container.setConsumerRebalanceListener(offsets);
        container.setMessageListener(listener);
        container.setShutdownTimeout(STOP_WAIT.toMillis());
        container.setAuthExceptionRetryInterval(KafkaAccess.ASKED_AGAIN_AFTER);
        return container;
    }

    public static KafkaMessageListenerContainer<byte[], byte[]> listening(
            String name, Map<String, Object> consumer, ContainerProperties container, StartOffsets offsets) {
        KafkaMessageListenerContainer<byte[], byte[]> listening = new KafkaMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<byte[], byte[]>(consumer), container);
        listening.setBeanName(name);
        listening.setCommonErrorHandler(new FeedErrors(offsets));
        return listening;
    }

    /** For {@link TopicFeed}, which asks whether the topic is there. */
    public Map<String, Object> admin() {
        Map<String, Object> admin = new HashMap<>(properties.buildAdminProperties());
        admin.putAll(access.settings());
        admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ASK_TIMEOUT_MS);
        admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ASK_TIMEOUT_MS);
        return admin;
    }
}
