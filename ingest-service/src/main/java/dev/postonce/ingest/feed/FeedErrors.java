package dev.postonce.ingest.feed;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.ExponentialBackOff;

/** A batch that failed is taken again until it succeeds; nothing is skipped here. */
public final class FeedErrors extends DefaultErrorHandler {

    private static final long FIRST_DELAY_MS = 200;
    private static final long DELAY_MS_MAX = 10_000;

    private final StartOffsets offsets;

    public FeedErrors(StartOffsets offsets) {
        super(forEver());
        this.offsets = offsets;
    }

    private static ExponentialBackOff forEver() {
        ExponentialBackOff backOff = new ExponentialBackOff(FIRST_DELAY_MS, 2);
        backOff.setMaxInterval(DELAY_MS_MAX);
        return backOff;
    }

    @Override
    public void handleOtherException(
            Exception failure, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        if (failure instanceof InvalidOffsetException cut) {
            for (TopicPartition partition : cut.partitions()) {
                offsets.recover(consumer, partition, "its offset is outside of the log");
            }
            return;
        }
        super.handleOtherException(failure, consumer, container, batchListener);
    }
}
