package dev.postonce.index.entry;

import dev.postonce.index.meter.EventProgress;
import dev.postonce.runtime.FailPoint;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BatchConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchListenerFailedException;

/** One poll's records: written, then left to the container to commit their offsets. */
public final class KafkaEntryListener implements BatchConsumerAwareMessageListener<byte[], byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEntryListener.class);

    private final EntryWriter writer;
    private final EventProgress progress;

    public KafkaEntryListener(EntryWriter writer, EventProgress progress) {
        this.writer = writer;
        this.progress = progress;
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Consumer<?, ?> consumer) {
        if (records.isEmpty()) {
            return;
        }
        Instant first = Instant.ofEpochMilli(records.get(0).timestamp());
        progress.taken(first);
        try {
            writer.write(records);
        } catch (RuntimeException e) {
            LOG.warn(
                    "a batch of {} records is rolled back and will be taken again: {}",
                    records.size(),
                    Failures.describe(e));
            LOG.debug("the failed batch", e);
            // Index 0: the whole batch. The error handler seeks back to it and backs off.
            throw new BatchListenerFailedException("rolled back: " + e.getMessage(), e, 0);
        }
        progress.applied(Instant.ofEpochMilli(records.get(records.size() - 1).timestamp()));
        if (consumer != null) {
            progress.backlog(backlog(consumer));
        }
        FailPoint.hit("index.after-durable-before-offset-commit");
    }

    private static long backlog(Consumer<?, ?> consumer) {
        long records = 0;
        for (TopicPartition partition : consumer.assignment()) {
            records += consumer.currentLag(partition).orElse(0);
        }
        return records;
    }
}
