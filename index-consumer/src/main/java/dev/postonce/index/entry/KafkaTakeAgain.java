package dev.postonce.index.entry;

import dev.postonce.index.entry.JdbcStartPositions.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * A failed batch is taken again, for ever, with a growing pause: what can never succeed was parked by the writer, so
 * what fails here is the database or another instance. Nothing is skipped.
 */
public final class KafkaTakeAgain extends DefaultErrorHandler {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTakeAgain.class);
    private static final long FIRST_PAUSE_MS = 50;
    private static final long PAUSE_MS_MAX = 5_000;

    private final KafkaStartPositions positions;

    public KafkaTakeAgain(KafkaStartPositions positions) {
        super(backOff());
        this.positions = positions;
        // By default some exception classes are held for hopeless, and their records skipped.
        setClassifications(Map.of(), true);
        setLogLevel(KafkaException.Level.DEBUG);
    }

    private static ExponentialBackOff backOff() {
        ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE_MS, 2.0);
        backOff.setMaxInterval(PAUSE_MS_MAX);
        return backOff;
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        if (thrown instanceof OffsetOutOfRangeException outOfRange) {
            Map<TopicPartition, Reason> reasons = new LinkedHashMap<>();
            outOfRange.partitions().forEach(partition -> reasons.put(partition, Reason.OFFSET_OUT_OF_RANGE));
            positions.beginAgain(consumer, reasons);
        } else if (positions.takeUnchecked()) {
            LOG.warn("the start of the assigned partitions could not be checked; starting the consumer again", thrown);
            container.stop(() -> {});
        } else {
            super.handleOtherException(thrown, consumer, container, batchListener);
        }
    }
}
