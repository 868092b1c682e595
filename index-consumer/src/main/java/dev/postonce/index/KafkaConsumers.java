package dev.postonce.index;

import dev.postonce.contract.Topics;
import dev.postonce.index.entry.KafkaEntryListener;
import dev.postonce.index.entry.KafkaStartPositions;
import dev.postonce.index.entry.KafkaTakeAgain;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.runtime.FailPoint;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;

/** The settings of the two consumers and of the admin client. What an operator gives under {@code spring.kafka} holds for all. */
final class KafkaConsumers {

    private static final int BATCH_RECORDS_MAX = 500;
    private static final int FETCH_BYTES_MAX = 16 * 1024 * 1024;
    private static final int SHUTDOWN_TIMEOUT_MS = 20_000;
    /** Within the time for a stop, so that a consumer which cannot commit any more still ends in time. */
    private static final Duration COMMIT_WAIT = Duration.ofSeconds(10);

    private final IndexSettings settings;
    private final KafkaProperties kafka;
    private final KafkaAccess access;

    KafkaConsumers(IndexSettings settings, KafkaProperties kafka, KafkaAccess access) {
        this.settings = settings;
        this.kafka = kafka;
        this.access = access;
    }

    ConcurrentMessageListenerContainer<byte[], byte[]> entryContainer(
            KafkaStartPositions positions, KafkaEntryListener listener) {
        Map<String, Object> properties = common(settings.instance() + "-entry");
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        properties.put(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, CommitProbe.class.getName());
        ContainerProperties container = new ContainerProperties(Topics.TASK, Topics.GROUP, Topics.KEY);
        container.setMessageListener(listener);
        container.setAckMode(ContainerProperties.AckMode.BATCH);
        container.setAssignmentCommitOption(ContainerProperties.AssignmentCommitOption.NEVER);
        container.setConsumerRebalanceListener(positions);
        container.setSyncCommits(true);
        container.setSyncCommitTimeout(COMMIT_WAIT);
        container.setShutdownTimeout(SHUTDOWN_TIMEOUT_MS);
        container.setAuthExceptionRetryInterval(KafkaAccess.ASKED_AGAIN_AFTER);
        ConcurrentMessageListenerContainer<byte[], byte[]> result =
                new ConcurrentMessageListenerContainer<>(new DefaultKafkaConsumerFactory<>(properties), container);
        result.setBeanName("index-entry");
        result.setConcurrency(settings.concurrency());
        result.setCommonErrorHandler(new KafkaTakeAgain(positions));
        result.setAutoStartup(false);
        return result;
    }

    /** Without a group: partitions are assigned by hand, and the place is in the Lucene commit. */
    ConsumerFactory<byte[], byte[]> ofReplica() {
        Map<String, Object> properties = common(settings.instance() + "-replica");
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return new DefaultKafkaConsumerFactory<>(properties);
    }

    Map<String, Object> ofAdmin() {
        Map<String, Object> properties = kafka.buildAdminProperties();
        properties.putAll(access.settings());
        return properties;
    }

    private Map<String, Object> common(String clientId) {
        Map<String, Object> properties = kafka.buildConsumerProperties();
        properties.putAll(access.settings());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // A missing offset is an incident that is handled by name; "latest" would skip what nobody has seen.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, BATCH_RECORDS_MAX);
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
        return properties;
    }

    /** Between a commit's arrival at the broker and the container's knowledge of it. */
    public static final class CommitProbe implements ConsumerInterceptor<byte[], byte[]> {
        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            FailPoint.hit("index.offset-commit-sent-no-answer");
        }

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
