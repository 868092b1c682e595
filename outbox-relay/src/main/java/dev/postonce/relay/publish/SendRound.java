package dev.postonce.relay.publish;

import dev.postonce.runtime.FailPoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One try to send a list of rows through one producer.
 *
 * <p>The first error closes the producer from within its callback, so before the sender's next step. Without that, a
 * batch that expired unsent could be followed by a younger one of the same key which is not expired yet, and the
 * younger version would appear first. What is on the wire already is kept in order by the producer's sequence numbers:
 * the broker takes none behind a gap.
 */
final class SendRound {

    private static final RuntimeException ABORTED =
            new RuntimeException("given up because an earlier row failed", null, false, false) {
                private static final long serialVersionUID = 1L;
            };

    private final Producer<byte[], byte[]> producer;
    private final List<Outgoing> rows;
    private final boolean alone;
    private final AtomicReferenceArray<@Nullable Throwable> errors;
    private volatile @Nullable Throwable firstRetryable;
    private volatile boolean aborted;

    /**
     * @param alone each row in a batch of its own. A batch that is over the topic's limit while it fits the producer's
     *     is split into itself until it expires, and its time-out does not tell which row was too large
     */
    SendRound(Producer<byte[], byte[]> producer, List<Outgoing> rows, boolean alone) {
        this.producer = producer;
        this.rows = rows;
        this.alone = alone;
        this.errors = new AtomicReferenceArray<>(rows.size());
    }

    void run() throws InterruptedException {
        List<@Nullable Future<RecordMetadata>> futures = new java.util.ArrayList<>(rows.size());
        try {
            for (int i = 0; i < rows.size(); i++) {
                futures.add(aborted ? null : send(i));
                if (alone && !aborted) {
                    producer.flush();
                }
            }
            FailPoint.hit("relay.after-send-before-any-ack");
            if (!aborted) {
                producer.flush();
            }
            for (int i = 0; i < futures.size(); i++) {
                check(i, futures.get(i));
            }
        } catch (InterruptException e) {
            abort();
            throw new InterruptedException("interrupted while waiting for acknowledgements");
        }
    }

    /** Ends the waiting; everything that is not acknowledged yet counts as failed. May come from any thread. */
    void abort() {
        aborted = true;
        producer.close(Duration.ZERO);
    }

    /** The number of rows when all were acknowledged. */
    int lowestUnacknowledged() {
        for (int i = 0; i < rows.size(); i++) {
            if (errors.get(i) != null) {
                return i;
            }
        }
        return rows.size();
    }

    @Nullable
    Throwable errorOf(int index) {
        return errors.get(index);
    }

    /** The first error that may pass by itself; empty when only final refusals stopped the round. */
    Optional<Throwable> retryableCause() {
        return Optional.ofNullable(firstRetryable);
    }

    private @Nullable Future<RecordMetadata> send(int index) {
        try {
            return producer.send(rows.get(index).kafkaRecord(), (metadata, error) -> completed(index, error));
        } catch (IllegalStateException e) {
            // Closed by an earlier row's callback.
            aborted = true;
            return null;
        } catch (RuntimeException e) {
            completed(index, e);
            return null;
        }
    }

    private void completed(int index, @Nullable Exception error) {
        if (error == null) {
            FailPoint.hit("relay.after-some-acks");
            return;
        }
        errors.set(index, error);
        if (!aborted) {
            if (FinalRefusals.codeOf(error).isEmpty()) {
                firstRetryable = error;
            }
            abort();
        }
    }

    private void check(int index, @Nullable Future<RecordMetadata> future) throws InterruptedException {
        if (future == null) {
            errors.compareAndSet(index, null, ABORTED);
            return;
        }
        try {
            future.get();
        } catch (ExecutionException e) {
            errors.compareAndSet(index, null, e.getCause() == null ? e : e.getCause());
        }
    }
}
