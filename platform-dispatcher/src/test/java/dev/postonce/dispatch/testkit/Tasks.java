package dev.postonce.dispatch.testkit;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.runtime.Ids;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Task states, and the records that carry them. */
public final class Tasks {

    public static final String TENANT = "dev";
    private static final AtomicLong OFFSET = new AtomicLong();

    private Tasks() {}

    /** A task that a test changes by its {@code with…} methods. */
    public record Sample(
            String externalId,
            long version,
            String status,
            String title,
            String slug,
            Instant publishAt,
            List<String> platforms) {

        public Sample version(long next) {
            return new Sample(externalId, next, status, title, slug, publishAt, platforms);
        }

        public Sample status(String next) {
            return new Sample(externalId, version, next, title, slug, publishAt, platforms);
        }

        public Sample title(String next) {
            return new Sample(externalId, version, status, next, slug, publishAt, platforms);
        }

        public Sample slug(String next) {
            return new Sample(externalId, version, status, title, next, publishAt, platforms);
        }

        public Sample publishAt(Instant next) {
            return new Sample(externalId, version, status, title, slug, next, platforms);
        }

        public Sample platforms(String... next) {
            return new Sample(externalId, version, status, title, slug, publishAt, List.of(next));
        }

        public TaskState state() {
            String article = Digests.sha256Hex(title + "|" + slug);
            TaskState open = stateWith(article, "");
            return stateWith(article, Digests.ofState(open));
        }

        private TaskState stateWith(String article, String digest) {
            return new TaskState(
                    TENANT,
                    "00000000-0000-7000-8000-000000000000",
                    externalId,
                    version,
                    status,
                    !status.equals("active"),
                    null,
                    "brand_official",
                    title,
                    "<p>" + title + " 双11</p>",
                    null,
                    null,
                    "a summary",
                    List.of("tag"),
                    null,
                    platforms,
                    null,
                    publishAt,
                    "blog",
                    slug,
                    "zh",
                    null,
                    article,
                    digest);
        }

        public ProducerRecord<byte[], byte[]> toProducerRecord() {
            return KafkaEventCodec.encode(Topics.TASK, envelope());
        }

        public ConsumerRecord<byte[], byte[]> toRecord() {
            ProducerRecord<byte[], byte[]> made = toProducerRecord();
            return new ConsumerRecord<>(
                    Topics.TASK,
                    0,
                    OFFSET.incrementAndGet(),
                    0L,
                    TimestampType.CREATE_TIME,
                    made.key().length,
                    made.value().length,
                    made.key(),
                    made.value(),
                    new RecordHeaders(made.headers()),
                    java.util.Optional.empty());
        }

        private EventEnvelope envelope() {
            return new EventEnvelope(
                    Ids.random().next(),
                    EventType.TASK_STATE.ceType(),
                    "/postonce/ingest",
                    externalId,
                    Instant.parse("2026-11-11T00:00:00Z"),
                    RecordKey.ofTask(TENANT, externalId),
                    version,
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    EventJson.write(state()));
        }
    }

    public static Sample task(String externalId) {
        return new Sample(
                externalId, 1, "active", "Title of " + externalId, "slug-" + externalId, null, List.of("wordpress"));
    }
}
