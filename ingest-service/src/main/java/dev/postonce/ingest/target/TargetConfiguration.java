package dev.postonce.ingest.target;

import dev.postonce.contract.Topics;
import dev.postonce.ingest.callback.DeliveryLoop;
import dev.postonce.ingest.callback.JdbcCallbackWriter;
import dev.postonce.ingest.feed.FeedErrors;
import dev.postonce.ingest.feed.JdbcConsumerStarts;
import dev.postonce.ingest.feed.StartOffsets;
import dev.postonce.ingest.feed.TopicFeed;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.ParkedRecords;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;

/** The objects that follow {@code postonce.dispatch.v1}. */
@Configuration(proxyBeanMethods = false)
public class TargetConfiguration {

    /** The consumer group, and the name under which inbox and offsets are remembered. */
    public static final String GROUP = "postonce-ingest";

    private static final String SCHEMA = "ingest";
    private static final int BATCH_RECORDS_MAX = 200;
    private static final int ADMIN_TIMEOUT_MS = 8_000;
    private static final Duration STOP_WAIT = Duration.ofSeconds(15);

    @Bean
    TargetProjector targetProjector(WorkerStorage workers, JdbcCallbackWriter callbacks, MeterRegistry meters) {
        return new TargetProjector(
                workers.transactions(),
                new JdbcTargets(workers.template()),
                new JdbcSearchAnswers(workers.template()),
                new JdbcInbox(workers.template(), SCHEMA, GROUP),
                new ParkedRecords(workers.template(), SCHEMA, GROUP),
                callbacks,
                meters);
    }

    @Bean
    StartOffsets dispatchOffsets(WorkerStorage workers, MeterRegistry meters) {
        return new StartOffsets(
                new JdbcConsumerStarts(workers.client(), GROUP), meters.counter("postonce.target.offset.incidents"));
    }

    @Bean
    TopicFeed dispatchFeed(
            KafkaProperties properties,
            KafkaConnectionDetails connection,
            TargetProjector projector,
            @Qualifier("dispatchOffsets") StartOffsets offsets,
            DeliveryLoop deliveries) {
        Map<String, Object> consumer = new HashMap<>(properties.buildConsumerProperties());
        consumer.put(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                connection.getConsumer().getBootstrapServers());
        consumer.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
        consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        consumer.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, BATCH_RECORDS_MAX);
        consumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        consumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);

        ContainerProperties container = new ContainerProperties(Topics.DISPATCH);
        container.setGroupId(GROUP);
        container.setAckMode(ContainerProperties.AckMode.MANUAL);
        container.setSyncCommits(true);
        container.setAssignmentCommitOption(ContainerProperties.AssignmentCommitOption.NEVER);
        container.setConsumerRebalanceListener(offsets);
        container.setMessageListener(new DispatchListener(projector, offsets, deliveries::wake));
        container.setShutdownTimeout(STOP_WAIT.toMillis());
        KafkaMessageListenerContainer<byte[], byte[]> listening = new KafkaMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<byte[], byte[]>(consumer), container);
        listening.setBeanName("dispatch-feed");
        listening.setCommonErrorHandler(new FeedErrors(offsets));

        Map<String, Object> admin = new HashMap<>(properties.buildAdminProperties());
        admin.put(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                connection.getAdmin().getBootstrapServers());
        admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
        admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
        return new TopicFeed(
                Topics.DISPATCH, "targets do not move until it is. Intake goes on", listening, offsets, admin);
    }
}
