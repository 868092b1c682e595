package dev.postonce.ingest.target;

import dev.postonce.contract.Topics;
import dev.postonce.ingest.callback.DeliveryLoop;
import dev.postonce.ingest.callback.JdbcCallbackWriter;
import dev.postonce.ingest.feed.JdbcConsumerStarts;
import dev.postonce.ingest.feed.KafkaFeeds;
import dev.postonce.ingest.feed.StartOffsets;
import dev.postonce.ingest.feed.TopicFeed;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.messaging.ParkedRecords;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;

/** The objects that follow {@code postonce.dispatch.v1}. */
@Configuration(proxyBeanMethods = false)
public class TargetConfiguration {

    /** The consumer group, and the name under which inbox and offsets are remembered. */
    public static final String GROUP = "postonce-ingest";

    private static final String SCHEMA = "ingest";
    private static final int BATCH_RECORDS_MAX = 200;

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
    KafkaAccess kafkaAccess(
            KafkaConnectionDetails connection, @Value("${postonce.kafka.client-config:}") String clientConfig) {
        return KafkaAccess.of(String.join(",", connection.getBootstrapServers()), clientConfig);
    }

    @Bean
    KafkaFeeds kafkaFeeds(KafkaProperties properties, KafkaAccess access) {
        return new KafkaFeeds(properties, access);
    }

    @Bean
    TopicFeed dispatchFeed(
            KafkaFeeds feeds,
            TargetProjector projector,
            @Qualifier("dispatchOffsets") StartOffsets offsets,
            DeliveryLoop deliveries) {
        KafkaMessageListenerContainer<byte[], byte[]> listening = KafkaFeeds.listening(
                "dispatch-feed",
                feeds.consumer(GROUP, BATCH_RECORDS_MAX),
                KafkaFeeds.container(
                        Topics.DISPATCH, GROUP, offsets, new DispatchListener(projector, offsets, deliveries::wake)),
                offsets);
        return new TopicFeed(
                Topics.DISPATCH, "targets do not move until it is. Intake goes on", listening, offsets, feeds.admin());
    }
}
