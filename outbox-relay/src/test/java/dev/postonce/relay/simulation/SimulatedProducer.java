package dev.postonce.relay.simulation;

import dev.postonce.testinfra.simulation.Simulation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An idempotent producer on one partition, seen from outside: it appends in order and none behind a gap; what it tells
 * of as failed may be there all the same, at once or later; what stands behind may be on the wire already.
 */
final class SimulatedProducer extends MockProducer<byte[], byte[]> {

    static final String TOO_LARGE = "too large";
    private static final int IN_FLIGHT_MAX = 5;

    private record Pending(
            ProducerRecord<byte[], byte[]> sent, Callback callback, CompletableFuture<RecordMetadata> future) {
        void fail(RuntimeException error) {
            future.completeExceptionally(error);
            callback.onCompletion(null, error);
        }
    }

    private final Simulation simulation;
    private final SimulatedTopic topic;
    private final Runnable breathe;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private boolean ended;

    /** @param breathe lets time pass, in which others act and this process may be killed or stopped */
    SimulatedProducer(Simulation simulation, SimulatedTopic topic, Runnable breathe) {
        super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        this.simulation = simulation;
        this.topic = topic;
        this.breathe = breathe;
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent, Callback callback) {
        if (ended) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
        CompletableFuture<RecordMetadata> future = new CompletableFuture<>();
        pending.add(new Pending(sent, callback, future));
        return future;
    }

    @Override
    public synchronized void flush() {
        while (!pending.isEmpty()) {
            breathe.run();
            Pending next = pending.remove();
            if (ended) {
                next.fail(new KafkaException("Producer closed while send in progress"));
            } else if (new String(next.sent().value(), StandardCharsets.UTF_8).contains(TOO_LARGE)) {
                next.fail(new RecordTooLargeException("too large"));
            } else if (simulation.fault(0.06)) {
                failFrom(next);
            } else {
                topic.append(next.sent());
                RecordMetadata metadata = new RecordMetadata(
                        new TopicPartition(next.sent().topic(), 0), topic.records.size() - 1L, 0, 0, 0, 0);
                next.future().complete(metadata);
                next.callback().onCompletion(metadata, null);
            }
        }
    }

    /** The answer to this one does not come. It, and some behind it, may be appended now, later, or never. */
    private void failFrom(Pending first) {
        List<Pending> wire = new ArrayList<>();
        wire.add(first);
        pending.stream()
                .filter(next -> !new String(next.sent().value(), StandardCharsets.UTF_8).contains(TOO_LARGE))
                .limit(simulation.random().nextInt(IN_FLIGHT_MAX))
                .forEach(wire::add);
        switch (simulation.random().nextInt(3)) {
            case 0 -> wire.forEach(one -> topic.append(one.sent()));
            case 1 ->
                simulation.after(simulation.delayMs(1, 3_000), () -> wire.forEach(one -> topic.append(one.sent())));
            default -> {}
        }
        first.fail(new TimeoutException("no answer"));
    }

    @Override
    public synchronized void close(Duration timeout) {
        ended = true;
    }

    @Override
    public synchronized void close() {
        ended = true;
    }
}
