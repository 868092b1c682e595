package dev.postonce.ingest.feed;

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
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Starts the consumer once its topic is there, keeps it running, and tells whether it follows. */
public final class TopicFeed implements SmartLifecycle, HealthIndicator, ClockWatch.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(TopicFeed.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final int LOOKS_PER_LOG_LINE = 30;
    private static final long ASK_TIMEOUT_S = 10;

    private final String topic;
    private final String meanwhile;
    private final MessageListenerContainer container;
    private final StartOffsets offsets;
    private final Map<String, Object> adminSettings;
    private final ScheduledExecutorService starter;
    private volatile boolean running;
    private volatile boolean ending;
    private int looks;

    /** @param meanwhile what the missing topic means, for the log */
    public TopicFeed(
            String topic,
            String meanwhile,
            MessageListenerContainer container,
            StartOffsets offsets,
            Map<String, Object> adminSettings) {
        this.topic = topic;
        this.meanwhile = meanwhile;
        this.container = container;
        this.offsets = offsets;
        this.adminSettings = adminSettings;
        this.starter = Executors.newSingleThreadScheduledExecutor(runnable -> new Thread(runnable, topic + "-start"));
    }

    @Override
    public void start() {
        running = true;
        starter.scheduleWithFixedDelay(this::supervise, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Starts the consumer, also one that ended itself: without a position, when the database failed meanwhile. */
    private void supervise() {
        // Before its thread has ended it must not be started: the thread would take the start for its own, and go on.
        if (!running || ending || container.isRunning()) {
            return;
        }
        try {
            if (topicIsThere()) {
                startFollowing();
            } else if (looks++ % LOOKS_PER_LOG_LINE == 0) {
                LOG.warn(
                        "topic {} is not there or Kafka does not answer: {}. The relay's admin step makes the topics",
                        topic,
                        meanwhile);
            }
        } catch (RuntimeException e) {
            LOG.error("the consumer of {} did not start; it is tried again in {}", topic, LOOK_EVERY, e);
        }
    }

    private synchronized void startFollowing() {
        if (running) {
            container.start();
            LOG.info("following {}", topic);
        }
    }

    private boolean topicIsThere() {
        Admin admin = Admin.create(adminSettings);
        try {
            admin.describeTopics(List.of(topic)).allTopicNames().get(ASK_TIMEOUT_S, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.debug("topic {} is not there yet", topic, e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            // Else it waits for its questions to expire, for hours where the clock was set back under them.
            admin.close(Duration.ZERO);
        }
    }

    /** The consumer finishes the batch in hand, commits and leaves the group, and another follows from there. */
    @Override
    public void clockSetBack() {
        starter.execute(this::endForAnother);
    }

    private synchronized void endForAnother() {
        if (running && container.isRunning()) {
            ending = true;
            container.stop(this::followAgain);
        }
    }

    private void followAgain() {
        ending = false;
        if (running) {
            starter.execute(this::supervise);
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        starter.shutdownNow();
        container.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** DOWN while nothing is followed; OUT_OF_SERVICE while lost offsets are being made good. Intake does neither. */
    @Override
    public Health health() {
        if (!container.isRunning()) {
            return Health.down().withDetail("waiting_for", topic).build();
        }
        var behind = offsets.catchingUp();
        return behind.isEmpty()
                ? Health.up().build()
                : Health.outOfService()
                        .withDetail("read_again", behind.toString())
                        .build();
    }
}
