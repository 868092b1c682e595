package dev.postonce.ingest.intake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Partitions whose next record has to wait: each by itself, longer each time. */
final class PartitionWaits implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionWaits.class);
    private static final long FIRST_MS = 250;
    private static final long MS_MAX = 30_000;
    private static final int DOUBLINGS_MAX = 10;

    private record Wait(long offset, int tries) {}

    private final Map<TopicPartition, Wait> waits = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "intake-waits");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable MessageListenerContainer container;

    void of(MessageListenerContainer paused) {
        this.container = paused;
    }

    void pause(TopicPartition partition, long offset) {
        @Nullable MessageListenerContainer paused = container;
        if (paused == null) {
            throw new IllegalStateException("no container to pause");
        }
        Wait wait = new Wait(offset, triesOf(partition, offset) + 1);
        waits.put(partition, wait);
        long ms = Math.min(MS_MAX, FIRST_MS << Math.min(wait.tries() - 1, DOUBLINGS_MAX));
        LOG.warn("{} waits {} ms at offset {}, after {} tries", partition, ms, offset, wait.tries());
        paused.pausePartition(partition);
        var ignored = timer.schedule(() -> paused.resumePartition(partition), ms, TimeUnit.MILLISECONDS);
    }

    void goesOn(TopicPartition partition) {
        waits.remove(partition);
    }

    /** How often this very record had to wait. */
    int triesOf(TopicPartition partition, long offset) {
        @Nullable Wait wait = waits.get(partition);
        return wait == null || wait.offset() != offset ? 0 : wait.tries();
    }

    int size() {
        return waits.size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
