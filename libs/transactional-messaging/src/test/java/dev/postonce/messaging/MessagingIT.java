package dev.postonce.messaging;

import static dev.postonce.messaging.GateDecision.APPLY;
import static dev.postonce.messaging.GateDecision.CONFLICT;
import static dev.postonce.messaging.GateDecision.DUPLICATE;
import static dev.postonce.messaging.GateDecision.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Inbox, parking and outbox on a real PostgreSQL. */
class MessagingIT {

    private static final String TABLES =
            """
            create table "index".outbox_event (
              seq bigint generated always as identity primary key, event_id uuid not null unique,
              xid xid8 not null default pg_current_xact_id(), topic text not null, record_key text not null,
              event_type text not null, source text not null, subject text not null,
              aggregate_version bigint not null check (aggregate_version > 0), occurred_at timestamptz not null,
              traceparent text, data text not null);
            create table "index".inbox_event (consumer text not null, event_id uuid not null, record_key text not null,
              aggregate_version bigint not null,
              state text not null check (state in ('applied','superseded','parked')),
              received_at timestamptz not null default now(), primary key (consumer, event_id));
            create table "index".watermark (consumer text not null, record_key text not null,
              aggregate_version bigint not null, content_digest text not null,
              updated_at timestamptz not null default now(), primary key (consumer, record_key));
            create table "index".parked_record (id bigint generated always as identity primary key,
              consumer text not null, topic text not null, partition_number int not null,
              record_offset bigint not null, record_key text, event_id text, headers text not null, value bytea,
              reason_code text not null, reason text not null, parked_at timestamptz not null default now(),
              settled_at timestamptz, settled_how text,
              unique (consumer, topic, partition_number, record_offset));
            """;

    private static final String CONSUMER = "test";
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transaction;
    private static ExecutorService threads;

    private final JdbcInbox inbox = new JdbcInbox(jdbc, "index", CONSUMER);

    @BeforeAll
    static void database() {
        TestDatabase database = TestInfra.newDatabase();
        jdbc = new JdbcTemplate(database.as("postonce_index"));
        transaction = new TransactionTemplate(new JdbcTransactionManager(jdbc.getDataSource()));
        threads = Executors.newFixedThreadPool(16);
        jdbc.execute(TABLES);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
    }

    @BeforeEach
    void empty() {
        jdbc.execute("truncate \"index\".inbox_event, \"index\".watermark, \"index\".parked_record,"
                + " \"index\".outbox_event");
    }

    @Test
    void the_gate_applies_skips_and_refuses_and_remembers() {
        InboxEvent first = event("a", 1, "d1");
        InboxEvent third = event("a", 3, "d3");
        assertThat(accept(first)).containsExactly(APPLY);
        assertThat(accept(first)).containsExactly(DUPLICATE);
        assertThat(accept(third)).containsExactly(APPLY);
        assertThat(accept(event("a", 2, "d2"))).containsExactly(STALE);
        assertThat(accept(event("a", 3, "d3")))
                .as("emitted again under a new id")
                .containsExactly(DUPLICATE);
        assertThat(accept(event("a", 3, "other"))).containsExactly(CONFLICT);
        assertThat(accept(event("b", 3, "other"))).as("another key").containsExactly(APPLY);

        assertThat(watermark("a")).isEqualTo("3 d3");
        assertThat(stateOf(first)).isEqualTo("applied");
        assertThat(jdbc.queryForList("select state from \"index\".inbox_event order by state", String.class))
                .as("the conflict leaves no trace here")
                .containsExactly("applied", "applied", "applied", "superseded", "superseded");
        assertThat(jdbc.queryForObject("select count(*) from \"index\".watermark", Long.class))
                .isEqualTo(2);
    }

    @Test
    void a_batch_with_several_versions_of_a_key_in_any_order_ends_at_the_highest() {
        InboxEvent one = event("a", 1, "d1");
        InboxEvent two = event("a", 2, "d2");
        InboxEvent four = event("a", 4, "d4");
        InboxEvent three = event("a", 3, "d3");
        assertThat(accept(one, event("b", 5, "e"), two, two, four, three, event("a", 4, "liar")))
                .containsExactly(APPLY, APPLY, APPLY, DUPLICATE, APPLY, STALE, CONFLICT);
        assertThat(watermark("a")).isEqualTo("4 d4");
        assertThat(stateOf(three)).isEqualTo("superseded");
        assertThat(stateOf(two)).isEqualTo("applied");
        assertThat(accept(one, two, three, four)).containsOnly(DUPLICATE);
    }

    @Test
    void consumers_do_not_know_of_each_other() {
        InboxEvent event = event("a", 1, "d1");
        accept(event);
        JdbcInbox other = new JdbcInbox(jdbc, "index", "other");
        List<GateDecision> decisions = transaction.execute(status -> other.accept(List.of(event)));
        assertThat(decisions).containsExactly(APPLY);
    }

    @Test
    void a_parked_event_passes_when_it_is_redriven_and_an_applied_one_never_becomes_parked() {
        InboxEvent event = event("a", 1, "d1");
        inbox.recordParked(event.envelope());
        inbox.recordParked(event.envelope());
        assertThat(stateOf(event)).isEqualTo("parked");
        assertThat(accept(event)).containsExactly(APPLY);
        assertThat(stateOf(event)).isEqualTo("applied");
        inbox.recordParked(event.envelope());
        assertThat(stateOf(event)).isEqualTo("applied");
    }

    @Test
    void what_is_rolled_back_was_never_seen() {
        InboxEvent event = event("a", 1, "d1");
        transaction.executeWithoutResult(status -> {
            inbox.accept(List.of(event));
            status.setRollbackOnly();
        });
        assertThat(accept(event)).containsExactly(APPLY);
    }

    @Test
    void without_a_transaction_nothing_is_accepted() {
        assertThatThrownBy(() -> inbox.accept(List.of(event("a", 1, "d1")))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void two_instances_race_for_a_new_key_one_wins_and_the_other_takes_its_batch_again() throws Exception {
        InboxEvent event = event("a", 1, "d1");
        CountDownLatch firstHasAccepted = new CountDownLatch(1);
        CountDownLatch secondWaits = new CountDownLatch(1);
        Future<List<GateDecision>> first = threads.submit(() -> transaction.execute(status -> {
            List<GateDecision> decisions = inbox.accept(List.of(event));
            firstHasAccepted.countDown();
            await(secondWaits);
            return decisions;
        }));
        await(firstHasAccepted);
        Future<List<GateDecision>> second = threads.submit(() -> accept(event));
        waitUntilBlocked();
        secondWaits.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).containsExactly(APPLY);
        assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(OptimisticLockingFailureException.class);
        assertThat(stateOf(event)).isEqualTo("applied");
        assertThat(accept(event)).containsExactly(DUPLICATE);
    }

    @Test
    void many_instances_race_for_the_same_events_and_each_is_applied_once() throws Exception {
        List<InboxEvent> events = new ArrayList<>();
        for (int version = 1; version <= 20; version++) {
            for (String key : List.of("a", "b", "c")) {
                events.add(event(key, version, "d" + version));
            }
        }
        jdbc.execute("create table if not exists \"index\".applied (event_id uuid)");
        int instances = 12;
        CyclicBarrier together = new CyclicBarrier(instances);
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            runs.add(threads.submit(() -> {
                together.await(10, TimeUnit.SECONDS);
                for (int from = 0; from < events.size(); from += 10) {
                    applyUntilDone(events.subList(from, from + 10));
                }
                return null;
            }));
        }
        for (Future<?> run : runs) {
            run.get(60, TimeUnit.SECONDS);
        }
        assertThat(jdbc.queryForObject("select count(*) from \"index\".applied", Long.class))
                .isEqualTo(60);
        assertThat(jdbc.queryForObject("select count(distinct event_id) from \"index\".applied", Long.class))
                .isEqualTo(60);
        assertThat(List.of(watermark("a"), watermark("b"), watermark("c"))).containsOnly("20 d20");
    }

    @Test
    void a_record_that_cannot_be_processed_is_parked_whole_and_once() {
        ConsumerRecord<byte[], byte[]> kafkaRecord =
                new ConsumerRecord<>("t", 3, 17, "k\u0000".getBytes(StandardCharsets.UTF_8), new byte[] {0, -1, 7});
        kafkaRecord.headers().add("ce_id", "not a uuid".getBytes(StandardCharsets.UTF_8));
        kafkaRecord.headers().add("a\u0000", null);
        ParkedRecords parked = new ParkedRecords(jdbc, "index", CONSUMER);
        parked.park(kafkaRecord, "undecodable", "bad \u0000 " + "坏".repeat(600));
        parked.park(kafkaRecord, "undecodable", "again");
        assertThat(jdbc.queryForList("select * from \"index\".parked_record"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row)
                            .containsEntry("record_key", "k\\0")
                            .containsEntry("event_id", "not a uuid")
                            .containsEntry("value", new byte[] {0, -1, 7})
                            .containsEntry("headers", "ce_id=not a uuid\na\\0=null\n");
                    assertThat(row.get("reason").toString())
                            .startsWith("bad \\0 坏")
                            .hasSizeLessThanOrEqualTo(501);
                });
        ConsumerRecord<byte[], byte[]> empty = new ConsumerRecord<>("t", 3, 18, null, null);
        parked.park(empty, "undecodable", "no value");
        assertThat(jdbc.queryForObject("select count(*) from \"index\".parked_record", Long.class))
                .isEqualTo(2);
    }

    @Test
    void an_event_is_appended_in_the_callers_transaction_or_not_at_all() {
        OutboxAppender outbox = new OutboxAppender(jdbc, "index");
        List<EventEnvelope> events =
                List.of(event("a", 1, "d").envelope(), event("a", 2, "d").envelope());
        assertThatThrownBy(() -> outbox.append("t", events)).isInstanceOf(IllegalStateException.class);
        transaction.executeWithoutResult(status -> {
            outbox.append("t", events);
            status.setRollbackOnly();
        });
        assertThat(jdbc.queryForObject("select count(*) from \"index\".outbox_event", Long.class))
                .isZero();
        transaction.executeWithoutResult(status -> outbox.append("t", events));
        assertThat(jdbc.queryForList("select * from \"index\".outbox_event order by seq"))
                .extracting(row -> row.get("event_id"), row -> row.get("aggregate_version"), row -> row.get("data"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(events.get(0).id(), 1L, "{\"标题\":1}"),
                        org.assertj.core.groups.Tuple.tuple(events.get(1).id(), 2L, "{\"标题\":1}"));
    }

    @Test
    void a_schema_name_is_checked_before_it_becomes_sql() {
        assertThatThrownBy(() -> new OutboxAppender(jdbc, "index\"; drop table x; --"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void applyUntilDone(List<InboxEvent> batch) {
        while (true) {
            try {
                transaction.executeWithoutResult(status -> {
                    List<GateDecision> decisions = inbox.accept(batch);
                    for (int i = 0; i < batch.size(); i++) {
                        if (decisions.get(i) == APPLY) {
                            jdbc.update(
                                    "insert into \"index\".applied values (?)",
                                    batch.get(i).envelope().id());
                        }
                    }
                });
                return;
            } catch (OptimisticLockingFailureException e) {
                // as the consumers do: the batch is taken again
            } catch (org.springframework.dao.PessimisticLockingFailureException e) {
                // a deadlock's victim takes its batch again as well
            }
        }
    }

    private List<GateDecision> accept(InboxEvent... events) {
        return transaction.execute(status -> inbox.accept(List.of(events)));
    }

    private static InboxEvent event(String aggregate, long version, String digest) {
        return new InboxEvent(
                new EventEnvelope(
                        UUID.randomUUID(),
                        "dev.postonce.task.state.v1",
                        "/postonce/test",
                        aggregate,
                        Instant.parse("2026-11-11T00:00:00Z"),
                        RecordKey.ofTask("dev", aggregate),
                        version,
                        null,
                        "{\"标题\":1}"),
                digest);
    }

    private static String watermark(String aggregate) {
        return jdbc.queryForObject(
                "select aggregate_version || ' ' || content_digest from \"index\".watermark"
                        + " where consumer = ? and record_key = ?",
                String.class,
                CONSUMER,
                "dev:" + aggregate);
    }

    private static String stateOf(InboxEvent event) {
        return jdbc.queryForObject(
                "select state from \"index\".inbox_event where consumer = ? and event_id = ?",
                String.class,
                CONSUMER,
                event.envelope().id());
    }

    private static void waitUntilBlocked() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() < deadline) {
            Long waiting = jdbc.queryForObject(
                    "select count(*) from pg_locks where not granted and locktype = 'transactionid'", Long.class);
            if (waiting != null && waiting > 0) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("the second instance never waited for the first");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
