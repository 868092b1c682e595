package dev.postonce.ingest.intake;

import dev.postonce.contract.Topics;
import dev.postonce.ingest.IngestSettings;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.feed.JdbcConsumerStarts;
import dev.postonce.ingest.feed.KafkaFeeds;
import dev.postonce.ingest.feed.StartOffsets;
import dev.postonce.ingest.feed.TopicFeed;
import dev.postonce.ingest.group.GroupCommands;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.ingest.task.TaskCommands;
import dev.postonce.ingest.task.TaskLines;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.Refusals;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.runtime.ClockWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.transaction.support.TransactionTemplate;

/** The objects that take submissions off {@code postonce.submit.v1}. */
@Configuration(proxyBeanMethods = false)
public class IntakeConfiguration {

    /** The consumer group, and the name under which starts are remembered. */
    public static final String GROUP = "postonce-intake";

    private static final int RECORDS_MAX = 100;
    private static final Duration POLL_WAIT = Duration.ofMillis(500);

    @Bean
    IntakeSecrets intakeSecrets(
            WorkerStorage workers, SecretCipher cipher, InstantSource clock, IngestSettings settings) {
        if (settings.keyRetention().compareTo(Topics.SUBMIT_AGE_MAX) <= 0) {
            throw new IllegalArgumentException("POSTONCE_KEY_RETENTION must be longer than " + Topics.SUBMIT_AGE_MAX
                    + ", for which " + Topics.SUBMIT + " keeps records: read again, they must still be known");
        }
        return new IntakeSecrets(
                new JdbcIntakeSecrets(workers.client()), cipher, workers.transactions(), clock, settings.keyCacheTtl());
    }

    @Bean
    IntakeSecretController intakeSecretController(
            JdbcClient jdbc,
            IntakeSecrets known,
            SecretCipher cipher,
            JdbcAudit audit,
            TransactionTemplate transactions,
            InstantSource clock,
            SecureRandom random,
            JsonBody bodies) {
        IntakeSecretAdmin.Tools tools =
                new IntakeSecretAdmin.Tools(new JdbcIntakeSecrets(jdbc), cipher, audit, transactions, clock);
        return new IntakeSecretController(new IntakeSecretAdmin(tools, known, random), bodies);
    }

    @Bean
    @DependsOn("firstTenants")
    SmartInitializingSingleton firstIntakeSecrets(IntakeSecrets secrets, IngestSettings settings) {
        return () -> new IntakeBootstrap(secrets).run(settings.bootstrapFile());
    }

    @Bean
    SubmitHandler submitHandler(
            IntakeSecrets secrets, JsonBody bodies, TaskCommands tasks, TaskLines lines, GroupCommands groups) {
        return new SubmitHandler(secrets, bodies, new SubmitHandler.UseCases(tasks, lines, groups));
    }

    @Bean
    StartOffsets intakeOffsets(WorkerStorage workers, MeterRegistry meters) {
        return new StartOffsets(
                new JdbcConsumerStarts(workers.client(), GROUP),
                meters.counter("postonce.intake.kafka.offset.incidents"));
    }

    @Bean
    PartitionWaits partitionWaits(MeterRegistry meters) {
        PartitionWaits waits = new PartitionWaits();
        meters.gauge("postonce.intake.kafka.waiting.partitions", waits, PartitionWaits::size);
        return waits;
    }

    @Bean
    KafkaRejections kafkaRejections(KafkaProperties properties, KafkaAccess access, InstantSource clock) {
        Map<String, Object> producer = new HashMap<>(properties.buildProducerProperties());
        producer.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
        producer.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        producer.putAll(access.settings());
        producer.put(ProducerConfig.ACKS_CONFIG, "all");
        producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, KafkaFeeds.ASK_TIMEOUT_MS);
        return new KafkaRejections(producer, clock);
    }

    @Bean
    SubmitListener submitListener(
            SubmitHandler handler,
            Refusals refusals,
            KafkaRejections rejections,
            IntakeMetrics metrics,
            @Qualifier("intakeOffsets") StartOffsets offsets,
            PartitionWaits waits) {
        return new SubmitListener(handler, refusals, rejections, metrics, offsets, waits);
    }

    @Bean
    TopicFeed intakeFeed(
            KafkaFeeds feeds,
            SubmitListener listener,
            @Qualifier("intakeOffsets") StartOffsets offsets,
            PartitionWaits waits) {
        Map<String, Object> consumer = feeds.consumer(GROUP, RECORDS_MAX);
        consumer.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Topics.MESSAGE_BYTES_MAX);
        ContainerProperties container = KafkaFeeds.container(Topics.SUBMIT, GROUP, offsets, listener);
        container.setPollTimeout(POLL_WAIT.toMillis());
        KafkaMessageListenerContainer<byte[], byte[]> listening =
                KafkaFeeds.listening("intake-feed", consumer, container, offsets);
        waits.of(listening);
        return new TopicFeed(
                Topics.SUBMIT, "submissions over Kafka wait. Those over HTTP go on", listening, offsets, feeds.admin());
    }

    /** For each feed of the service. */
    @Bean(destroyMethod = "close")
    ClockWatch clockWatch(
            InstantSource clock, MeterRegistry meters, KafkaRejections rejections, List<TopicFeed> feeds) {
        Counter seen = meters.counter("postonce.clock.set.back");
        List<ClockWatch.Listener> listeners =
                new ArrayList<>(List.<ClockWatch.Listener>of(seen::increment, rejections));
        listeners.addAll(feeds);
        return new ClockWatch(clock, listeners).start();
    }
}
