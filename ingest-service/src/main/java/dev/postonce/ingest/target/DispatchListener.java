package dev.postonce.ingest.target;

import dev.postonce.ingest.feed.StartOffsets;
import dev.postonce.runtime.FailPoint;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.support.Acknowledgment;

/** Takes batches off the topic; an offset is committed only after the transaction. */
final class DispatchListener implements BatchAcknowledgingMessageListener<byte[], byte[]> {

    private final TargetProjector projector;
    private final StartOffsets offsets;
    private final Runnable applied;

    /** @param applied told after each batch, so that callbacks leave at once */
    DispatchListener(TargetProjector projector, StartOffsets offsets, Runnable applied) {
        this.projector = projector;
        this.offsets = offsets;
        this.applied = applied;
    }

    @Override
    public void onMessage(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Acknowledgment acknowledgment) {
        try {
            projector.apply(records);
        } catch (DataIntegrityViolationException e) {
            // One record's content is at fault, and would hold up all the others for ever.
            records.forEach(this::applyAlone);
        }
        FailPoint.hit("ingest.after-target-commit-before-offset");
        Objects.requireNonNull(acknowledgment, "the container acknowledges by hand")
                .acknowledge();
        offsets.processed(records);
        applied.run();
    }

    private void applyAlone(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        try {
            projector.apply(List.of(kafkaRecord));
        } catch (DataIntegrityViolationException e) {
            projector.parkFailed(kafkaRecord, e);
        }
    }
}
