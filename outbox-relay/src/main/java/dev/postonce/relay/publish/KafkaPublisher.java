package dev.postonce.relay.publish;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.runtime.FailPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends rows in their order and returns when each is acknowledged or parked. One thread publishes; any may stop it.
 *
 * <p>After an error the producer is thrown away and everything from the lowest unacknowledged row on is sent again,
 * also what was acknowledged behind it: the topics are compacted, so the last copy of a key must be its newest version.
 * That next round sends each row alone, so that a row which spoils the batch it travels in is found and parked.
 */
public final class KafkaPublisher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

    private static final int LOG_EVERY_TRIES = 20;

    private final OutboxSource source;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Parking parking;
    private final PublishListener listener;
    private final Duration backoffMin;
    private final Duration backoffMax;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable Producer<byte[], byte[]> producer;
    private volatile @Nullable SendRound running;

    public KafkaPublisher(
            OutboxSource source,
            Supplier<Producer<byte[], byte[]>> producers,
            Parking parking,
            PublishListener listener,
            Duration backoffMin,
            Duration backoffMax) {
        this.source = source;
        this.producers = producers;
        this.parking = parking;
        this.listener = listener;
        this.backoffMin = backoffMin;
        this.backoffMax = backoffMax;
    }

    /**
     * @throws PublishStoppedException when {@link #stop} came first
     */
    public void publish(List<OutboxRow> rows) throws InterruptedException {
        if (rows.isEmpty()) {
            return;
        }
        listener.began(rows);
        FailPoint.hit("relay.after-claim-before-send");
        List<Outgoing> pending = parkUnfit(parking.withoutParked(source.name(), rows));
        Duration backoff = backoffMin;
        int tries = 0;
        boolean alone = false;
        while (!pending.isEmpty()) {
            SendRound round = send(pending, alone);
            int lowest = round.lowestUnacknowledged();
            if (lowest > 0) {
                backoff = backoffMin;
                acknowledged(pending.subList(0, lowest));
            }
            if (lowest == pending.size()) {
                listener.waiting(null);
                return;
            }
            discardProducer();
            requireRunning();
            alone = true;
            pending = parkRefused(pending.subList(lowest, pending.size()), round, lowest);
            Optional<Throwable> cause = round.retryableCause();
            if (cause.isPresent()) {
                String reason = cause.get().getClass().getSimpleName() + ": "
                        + cause.get().getMessage();
                if (tries++ % LOG_EVERY_TRIES == 0) {
                    LOG.warn(
                            "source {}: {} rows wait, the next try is in {} ms; nothing is skipped ({})",
                            source.name(),
                            pending.size(),
                            backoff.toMillis(),
                            reason);
                }
                listener.waiting(reason);
                if (stopped.await(backoff.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new PublishStoppedException();
                }
                backoff = backoff.multipliedBy(2).compareTo(backoffMax) < 0 ? backoff.multipliedBy(2) : backoffMax;
            }
        }
    }

    /** Ends a running {@link #publish} soon, and every later one at once. */
    public void stop() {
        stopped.countDown();
        SendRound round = running;
        if (round != null) {
            round.abort();
        }
    }

    /** Called by the publishing thread, or after it has ended. */
    @Override
    public void close() {
        stop();
        discardProducer();
    }

    private SendRound send(List<Outgoing> pending, boolean alone) throws InterruptedException {
        requireRunning();
        Producer<byte[], byte[]> current = producer;
        if (current == null) {
            current = producers.get();
            producer = current;
        }
        SendRound round = new SendRound(current, pending, alone);
        running = round;
        try {
            // A stop that came before the assignment above has not seen this round.
            requireRunning();
            round.run();
        } finally {
            running = null;
        }
        return round;
    }

    private void acknowledged(List<Outgoing> sent) {
        List<OutboxRow> rows = sent.stream().map(Outgoing::row).toList();
        parking.supersede(source.name(), rows);
        listener.acknowledged(rows);
    }

    private List<Outgoing> parkUnfit(List<OutboxRow> rows) {
        List<Outgoing> fit = new ArrayList<>(rows.size());
        for (OutboxRow row : rows) {
            if (!source.topics().contains(row.topic())) {
                park(row, "unknown_topic", "source " + source.name() + " publishes to " + source.topics() + " only");
                continue;
            }
            try {
                fit.add(Outgoing.of(row));
            } catch (IllegalArgumentException e) {
                park(row, "malformed_row", String.valueOf(e.getMessage()));
            }
        }
        return fit;
    }

    private List<Outgoing> parkRefused(List<Outgoing> rest, SendRound round, int offset) {
        List<Outgoing> kept = new ArrayList<>(rest.size());
        for (int i = 0; i < rest.size(); i++) {
            Throwable error = round.errorOf(offset + i);
            Optional<String> code = error == null ? Optional.empty() : FinalRefusals.codeOf(error);
            if (code.isPresent() && error != null) {
                park(rest.get(i).row(), code.get(), String.valueOf(error.getMessage()));
            } else {
                kept.add(rest.get(i));
            }
        }
        return kept;
    }

    private void park(OutboxRow row, String reasonCode, String reason) {
        LOG.error(
                "source {}: event {} of {} version {} is parked ({}): {}. relay.parked_event keeps it; others flow",
                source.name(),
                row.eventId(),
                row.recordKey(),
                row.aggregateVersion(),
                reasonCode,
                reason);
        parking.park(source.name(), row, reasonCode, reason);
        listener.parked(row, reasonCode);
    }

    private void discardProducer() {
        Producer<byte[], byte[]> current = producer;
        producer = null;
        if (current != null) {
            current.close(Duration.ZERO);
            FailPoint.hit("relay.producer-recreated-after-timeout");
        }
    }

    private void requireRunning() {
        if (stopped.getCount() == 0) {
            throw new PublishStoppedException();
        }
    }
}
