package dev.postonce.ingest.intake;

import dev.postonce.ingest.feed.StartOffsets;
import dev.postonce.ingest.intake.KafkaRejections.Rejection;
import dev.postonce.ingest.intake.SubmitHandler.Handled;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusals;
import dev.postonce.runtime.FailPoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Takes records partition by partition. An offset is committed only after what stands before it is committed in the
 * database or told as refused. Where a record has to wait, its partition waits, and the others go on.
 */
final class SubmitListener implements BatchAcknowledgingConsumerAwareMessageListener<byte[], byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(SubmitListener.class);
    /** After so many tries a fault of ours counts as final, or one record would hold up its partition for ever. */
    private static final int FAULTS_MAX = 10;

    private final SubmitHandler handler;
    private final Refusals refusals;
    private final KafkaRejections rejections;
    private final IntakeMetrics metrics;
    private final StartOffsets offsets;
    private final PartitionWaits waits;

    SubmitListener(
            SubmitHandler handler,
            Refusals refusals,
            KafkaRejections rejections,
            IntakeMetrics metrics,
            StartOffsets offsets,
            PartitionWaits waits) {
        this.handler = handler;
        this.refusals = refusals;
        this.rejections = rejections;
        this.metrics = metrics;
        this.offsets = offsets;
        this.waits = waits;
    }

    @Override
    public void onMessage(
            List<ConsumerRecord<byte[], byte[]>> records,
            @Nullable Acknowledgment acknowledgment,
            @Nullable Consumer<?, ?> consumer) {
        Consumer<?, ?> own = Objects.requireNonNull(consumer, "the container gives its consumer");
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> byPartition = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> one : records) {
            byPartition
                    .computeIfAbsent(new TopicPartition(one.topic(), one.partition()), key -> new ArrayList<>())
                    .add(one);
        }
        byPartition.forEach((partition, ofPartition) -> take(partition, ofPartition, own));
    }

    private void take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records, Consumer<?, ?> consumer) {
        int done;
        try {
            done = settle(partition, records);
        } catch (KafkaException e) {
            LOG.warn("{}: rejections were not acknowledged; its records are taken again", partition, e);
            done = 0;
        }
        FailPoint.hit("ingest.after-intake-commit-before-offset");
        if (done > 0 && !commit(partition, records.get(done - 1).offset() + 1, consumer)) {
            return;
        }
        offsets.processed(records.subList(0, done));
        if (done < records.size()) {
            consumer.seek(partition, records.get(done).offset());
            waits.pause(partition, records.get(done).offset());
        } else {
            waits.goesOn(partition);
        }
    }

    /** How many from the beginning are settled. */
    private int settle(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
        List<Handled> settled = handler.handle(
                        records.stream().map(SubmitRecord::of).toList(), one -> mustWait(partition, one))
                .settled();
        List<Rejection> refused = new ArrayList<>();
        for (int i = 0; i < settled.size(); i++) {
            Handled one = settled.get(i);
            if (one.error() != null) {
                refused.add(new Rejection(
                        records.get(i).key(),
                        one.submission(),
                        one.exchange(),
                        refusals.refuse(one.exchange(), one.error()).body()));
            }
            metrics.line("kafka", Objects.requireNonNullElse(one.exchange().outcome(), Outcome.FAILED));
        }
        rejections.tell(refused);
        return settled.size();
    }

    private boolean mustWait(TopicPartition partition, Handled one) {
        ErrorCode code = refusals.codeOf(one.exchange(), Objects.requireNonNull(one.error()));
        boolean fault = code == ErrorCode.INTERNAL_ERROR
                && waits.triesOf(partition, one.submission().place().offset()) >= FAULTS_MAX;
        return code.retryable() && !fault;
    }

    /** False where the partition is another's by now, who reads the same again. */
    private static boolean commit(TopicPartition partition, long offset, Consumer<?, ?> consumer) {
        try {
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)));
            return true;
        } catch (CommitFailedException | RebalanceInProgressException e) {
            LOG.info("{} went to another consumer before its offset was committed", partition);
            return false;
        }
    }
}
