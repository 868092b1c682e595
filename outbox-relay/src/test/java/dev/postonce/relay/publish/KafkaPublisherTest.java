package dev.postonce.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaPublisherTest {

    private static final OutboxSource SOURCE = new OutboxSource("ingest", "ingest", "s", "p", List.of("t"));

    private final List<String> appended = new ArrayList<>();
    private final Map<UUID, String> parked = new HashMap<>();
    private final List<OutboxRow> acknowledged = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private int producers;

    /** Fails the nth send of all, as the script says, and everything after it until it is closed. */
    private final class ScriptedProducer extends MockProducer<byte[], byte[]> {
        private final IntFunction<@Nullable RuntimeException> script;

        ScriptedProducer(IntFunction<@Nullable RuntimeException> script) {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            this.script = script;
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (closed()) {
                throw new IllegalStateException("closed");
            }
            String name = new String(record.key(), java.nio.charset.StandardCharsets.UTF_8) + "/"
                    + new String(
                            record.headers().lastHeader("ce_aggregateversion").value(),
                            java.nio.charset.StandardCharsets.UTF_8);
            RuntimeException error = script.apply(++sends);
            if (error != null) {
                callback.onCompletion(null, error);
                return CompletableFuture.failedFuture(error);
            }
            appended.add(name);
            return super.send(record, callback);
        }
    }

    private int sends;

    private KafkaPublisher publisher(IntFunction<@Nullable RuntimeException> script) {
        Parking parking = new Parking() {
            @Override
            public void park(String source, OutboxRow row, String code, String reason) {
                parked.put(row.eventId(), code);
            }

            @Override
            public List<OutboxRow> withoutParked(String source, List<OutboxRow> rows) {
                return rows.stream()
                        .filter(row -> !parked.containsKey(row.eventId()))
                        .toList();
            }

            @Override
            public void supersede(String source, List<OutboxRow> rows) {}
        };
        PublishListener listener = new PublishListener() {
            @Override
            public void began(List<OutboxRow> rows) {}

            @Override
            public void acknowledged(List<OutboxRow> rows) {
                acknowledged.addAll(rows);
            }

            @Override
            public void parked(OutboxRow row, String code) {}

            @Override
            public void waiting(@Nullable String reason) {
                if (reason != null) {
                    troubles.add(reason);
                }
            }
        };
        return new KafkaPublisher(
                SOURCE,
                () -> {
                    producers++;
                    return new ScriptedProducer(script);
                },
                parking,
                listener,
                Duration.ofMillis(1),
                Duration.ofMillis(2));
    }

    private static OutboxRow row(String topic, String key, long version) {
        return new OutboxRow(
                version,
                new UUID(key.hashCode(), version),
                topic,
                key,
                "type",
                "/s",
                "subject",
                version,
                Instant.EPOCH,
                null,
                "{}");
    }

    private static OutboxRow row(String key, long version) {
        return row("t", key, version);
    }

    @Test
    void rows_are_sent_in_their_order_by_one_producer() throws InterruptedException {
        try (KafkaPublisher publisher = publisher(n -> null)) {
            publisher.publish(List.of(row("t1:a", 1), row("t1:a", 2), row("t1:b", 1)));
            publisher.publish(List.of(row("t1:a", 3)));
        }
        assertThat(appended).containsExactly("t1:a/1", "t1:a/2", "t1:b/1", "t1:a/3");
        assertThat(producers).isOne();
        assertThat(acknowledged).hasSize(4);
    }

    @Test
    void after_an_error_everything_from_the_lowest_unacknowledged_row_is_sent_again_by_a_new_producer()
            throws InterruptedException {
        List<OutboxRow> rows = List.of(row("t1:a", 1), row("t1:a", 2), row("t1:a", 3));
        try (KafkaPublisher publisher = publisher(n -> n == 2 || n == 3 ? new TimeoutException("no answer") : null)) {
            publisher.publish(rows);
        }
        assertThat(appended).containsExactly("t1:a/1", "t1:a/2", "t1:a/3");
        assertThat(producers).isEqualTo(3);
        assertThat(troubles).hasSize(2).first().asString().contains("no answer");
        assertThat(acknowledged).containsExactlyElementsOf(rows);
    }

    @Test
    void a_record_that_is_refused_for_good_is_parked_and_the_others_flow() throws InterruptedException {
        OutboxRow large = row("t1:a", 1);
        try (KafkaPublisher publisher = publisher(n -> n == 1 ? new RecordTooLargeException("too large") : null)) {
            publisher.publish(List.of(large, row("t1:a", 2), row("t1:b", 1)));
            publisher.publish(List.of(large, row("t1:a", 2)));
        }
        assertThat(parked).containsExactly(Map.entry(large.eventId(), "record_too_large"));
        assertThat(appended).containsExactly("t1:a/2", "t1:b/1", "t1:a/2");
        assertThat(troubles).isEmpty();
    }

    @Test
    void a_row_of_a_foreign_topic_or_that_is_no_event_is_parked_without_being_sent() throws InterruptedException {
        OutboxRow foreign = row("elsewhere", "t1:a", 1);
        OutboxRow malformed = row("no tenant", 1);
        try (KafkaPublisher publisher = publisher(n -> null)) {
            publisher.publish(List.of(foreign, malformed, row("t1:b", 1)));
        }
        assertThat(parked)
                .containsOnly(
                        Map.entry(foreign.eventId(), "unknown_topic"), Map.entry(malformed.eventId(), "malformed_row"));
        assertThat(appended).containsExactly("t1:b/1");
    }

    @Test
    void a_stop_ends_the_waiting_without_acknowledging_anything() {
        KafkaPublisher[] publisher = new KafkaPublisher[1];
        publisher[0] = publisher(n -> {
            if (n == 3) {
                publisher[0].stop();
            }
            return new TimeoutException("Kafka is away");
        });
        assertThatThrownBy(() -> publisher[0].publish(List.of(row("t1:a", 1))))
                .isInstanceOf(PublishStoppedException.class);
        assertThatThrownBy(() -> publisher[0].publish(List.of(row("t1:a", 1))))
                .isInstanceOf(PublishStoppedException.class);
        assertThat(acknowledged).isEmpty();
        publisher[0].close();
    }
}
