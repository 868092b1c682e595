package dev.postonce.index.entry;

import dev.postonce.contract.Topics;
import dev.postonce.index.event.KafkaTopics;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.meter.IndexMeters.Alarm;
import dev.postonce.runtime.ClockWatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Starts the shared group's container once the topics are there, and again should it ever stop by itself. */
public final class KafkaEntryIntake implements SmartLifecycle, ClockWatch.Listener {

    static final List<String> TOPICS = List.of(Topics.TASK, Topics.GROUP, Topics.KEY);

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEntryIntake.class);
    private static final long LOOK_EVERY_MS = 500;

    private final KafkaTopics topics;
    private final KafkaStartPositions positions;
    private final ConcurrentMessageListenerContainer<byte[], byte[]> container;
    private final ScheduledExecutorService timer;
    private final IndexMeters meters;

    private @Nullable ScheduledFuture<?> looking;
    private volatile boolean running;
    private volatile boolean begun;
    private volatile boolean ending;
    private volatile @Nullable String waitingFor = "the first look at the topics";

    public KafkaEntryIntake(
            KafkaTopics topics,
            KafkaStartPositions positions,
            ConcurrentMessageListenerContainer<byte[], byte[]> container,
            ScheduledExecutorService timer,
            IndexMeters meters) {
        this.topics = topics;
        this.positions = positions;
        this.container = container;
        this.timer = timer;
        this.meters = meters;
    }

    @Override
    public synchronized void start() {
        running = true;
        looking = timer.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
        // Others join once these have left: else the group is divided among both, and once more when these leave.
        if (!running || ending || container.isRunning()) {
            return;
        }
        try {
            Map<String, String> ids = new HashMap<>();
            topics.describe(TOPICS).forEach((name, topic) -> ids.put(name, topic.id()));
            positions.topicIds(ids);
            if (begun) {
                meters.alarm(Alarm.CONSUMER_STOPPED);
                LOG.error("the entry consumer had stopped by itself; it is started again");
            }
            begun = true;
            container.start();
            waitingFor = null;
        } catch (RuntimeException e) {
            if (!String.valueOf(e.getMessage()).equals(waitingFor)) {
                LOG.warn("waiting to read the topics: {}", e.getMessage());
            }
            waitingFor = String.valueOf(e.getMessage());
        }
    }

    /** The consumers finish the batches in hand, commit and leave the group, and others follow from there. */
    @Override
    public void clockSetBack() {
        timer.execute(this::endForOthers);
    }

    private synchronized void endForOthers() {
        if (running && container.isRunning()) {
            ending = true;
            begun = false;
            container.stop(() -> ending = false);
        }
    }

    /** Null while it reads. */
    public @Nullable String waitingFor() {
        String reason = waitingFor;
        return reason == null && !container.isRunning() ? "the consumer to be started again" : reason;
    }

    @Override
    public void stop() {
        synchronized (this) {
            running = false;
            if (looking != null) {
                looking.cancel(false);
            }
        }
        // Finishes the batch in hand and commits its offsets, up to the container's shutdown timeout.
        container.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
