package dev.postonce.dispatch.intake;

import dev.postonce.contract.Topics;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.runtime.ClockWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Reads the task topic in batches; an offset is committed after its batch's transaction. Waits for a topic that is
 * not there yet, and goes on when it is.
 */
public final class TaskConsumer implements ClockWatch.Listener {

    public static final String GROUP = "postonce-dispatch";

    private static final Logger LOG = LoggerFactory.getLogger(TaskConsumer.class);
    private static final int BATCH_RECORDS_MAX = 200;
    private static final int HEARTBEAT_MS = 2_000;
    private static final long RETRY_MS = 1_000;
    private static final long TOPIC_POLL_MS = 1_000;
    private static final int ADMIN_TIMEOUT_MS = 5_000;

    private final KafkaAccess access;
    private final JdbcStartOffsets offsets;
    private final ConcurrentMessageListenerContainer<byte[], byte[]> container;
    private final ScheduledExecutorService starter = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "dispatch-topic-wait");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean stopped;
    private boolean waitingSaid;

    /** @param sessionMs after which the partitions of a silent process are another's */
    public TaskConsumer(
            KafkaAccess access,
            String clientId,
            int concurrency,
            int sessionMs,
            TaskIntake intake,
            JdbcStartOffsets offsets) {
        this.access = access;
        this.offsets = offsets;
        ContainerProperties properties = new ContainerProperties(Topics.TASK);
        properties.setGroupId(GROUP);
        properties.setClientId(clientId);
        properties.setAckMode(ContainerProperties.AckMode.BATCH);
        properties.setSyncCommits(true);
        properties.setSyncCommitTimeout(Duration.ofSeconds(10));
        properties.setAuthExceptionRetryInterval(KafkaAccess.ASKED_AGAIN_AFTER);
        properties.setConsumerRebalanceListener(offsets);
        properties.setMessageListener((BatchMessageListener<byte[], byte[]>)
                records -> intake.accept(List.<ConsumerRecord<byte[], byte[]>>copyOf(records)));
        this.container = new ConcurrentMessageListenerContainer<>(
                new DefaultKafkaConsumerFactory<>(consumerSettings(access, sessionMs)), properties);
        container.setConcurrency(concurrency);
        container.setBeanName("dispatch-tasks");
        container.setCommonErrorHandler(new RetryForEver(offsets));
    }

    private static Map<String, Object> consumerSettings(KafkaAccess access, int sessionMs) {
        Map<String, Object> settings = access.settings();
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, sessionMs);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MS);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, BATCH_RECORDS_MAX);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Topics.MESSAGE_BYTES_MAX * 2);
        return settings;
    }

    public void start() {
        starter.execute(this::startWhenTopicIsThere);
    }

    public boolean isRunning() {
        return container.isRunning();
    }

    /** Finishes the batch in hand, commits its offsets and leaves the group. */
    public void stop() {
        stopped = true;
        starter.shutdownNow();
        container.stop();
    }

    /** The consumers finish the batches in hand, commit and leave the group, and others follow from there. */
    @Override
    public void clockSetBack() {
        starter.execute(() -> {
            if (!stopped && container.isRunning()) {
                // Others join once these have left: else the group is divided among both, and then once more.
                container.stop(this::startAgain);
            }
        });
    }

    private void startAgain() {
        if (!stopped) {
            starter.execute(this::startWhenTopicIsThere);
        }
    }

    private void startWhenTopicIsThere() {
        if (stopped) {
            return;
        }
        if (topicIsThere()) {
            LOG.info("reading {} as {}", Topics.TASK, GROUP);
            container.start();
            return;
        }
        if (!waitingSaid) {
            LOG.warn(
                    "the topic {} is not there yet; the admin step creates it, and this service waits for it",
                    Topics.TASK);
            waitingSaid = true;
        }
        starter.schedule(this::startWhenTopicIsThere, TOPIC_POLL_MS, TimeUnit.MILLISECONDS);
    }

    private boolean topicIsThere() {
        Map<String, Object> settings = access.settings();
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ADMIN_TIMEOUT_MS);
        Admin admin = Admin.create(settings);
        try {
            return admin.listTopics()
                    .names()
                    .get(ADMIN_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .contains(Topics.TASK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.warn("{} does not answer; it is asked again", access);
            return false;
        } finally {
            // Else it waits for its questions to expire, for hours where the clock was set back under them.
            admin.close(Duration.ZERO);
        }
    }

    /** A batch that the database does not take now is brought again until it does; order is kept. */
    private static final class RetryForEver extends DefaultErrorHandler {

        private final JdbcStartOffsets offsets;

        RetryForEver(JdbcStartOffsets offsets) {
            super(new FixedBackOff(RETRY_MS, FixedBackOff.UNLIMITED_ATTEMPTS));
            this.offsets = offsets;
        }

        @Override
        public void handleOtherException(
                Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batch) {
            if (thrown instanceof InvalidOffsetException lost) {
                offsets.incident(lost.partitions(), consumer, "the stored offset lies outside of the topic");
                return;
            }
            super.handleOtherException(thrown, consumer, container, batch);
        }
    }
}
