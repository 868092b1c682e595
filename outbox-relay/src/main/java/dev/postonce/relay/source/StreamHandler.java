package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.KafkaPublisher;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Between a reader and the publisher: the last look at the slot, and the position under the claim's epoch. */
final class StreamHandler implements OutboxReader.Handler {

    private final OutboxSource source;
    private final SourceLeader.Database database;
    private final long epoch;
    private final RecordedSource atStart;
    private final KafkaPublisher publisher;
    private final SourceStatus status;
    private boolean slotChecked;
    private volatile @Nullable Refusal refusal;

    StreamHandler(
            OutboxSource source,
            SourceLeader.Database database,
            long epoch,
            RecordedSource atStart,
            KafkaPublisher publisher,
            SourceStatus status) {
        this.source = source;
        this.database = database;
        this.epoch = epoch;
        this.atStart = atStart;
        this.publisher = publisher;
        this.status = status;
    }

    /** Why the handler ended the reading, if it did. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    @Override
    public void publish(List<OutboxRow> rows) throws InterruptedException {
        checkSlotOnce();
        publisher.publish(rows);
        status.batchEnded();
    }

    @Override
    public void advanced(long lsn, String detail) {
        checkSlotOnce();
        try {
            database.sources().advance(source, epoch, lsn, detail, status.publishedSeq());
        } catch (ClaimLostException e) {
            publisher.stop();
            throw e;
        }
    }

    /**
     * The slot was right before the reader was opened. A reader that finds none makes a new one, so between that look
     * and the reader's own the slot could have been exchanged: it must still not stand ahead of what was published.
     */
    private synchronized void checkSlotOnce() {
        if (slotChecked) {
            return;
        }
        ObservedSource now = new ObservedSource(
                false,
                "",
                0,
                true,
                null,
                database.observations().slot(source).orElse(null),
                new ObservedSource.Kafka("", java.util.Map.of()));
        Optional<Refusal> broken = SourceChecks.slotBroken(source, atStart, now);
        if (broken.isPresent()) {
            refusal = broken.get();
            publisher.stop();
            throw new IllegalStateException(broken.get().english());
        }
        slotChecked = true;
    }
}
