package dev.postonce.index.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.Topics;
import dev.postonce.index.Samples;
import dev.postonce.messaging.KafkaEventCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EntryWriterIT {

    static EntryFixture fixture;
    EntryWriter writer;
    long offset;

    @BeforeAll
    static void start() {
        fixture = new EntryFixture();
    }

    @BeforeEach
    void clean() {
        fixture.jdbc.execute(
                """
                truncate "index".entry, "index".inbox_event, "index".watermark, "index".parked_record, "index".api_key
                """);
        writer = fixture.newWriter();
    }

    @Test
    void duplicates_and_stale_events_change_nothing_and_are_counted() {
        EventEnvelope one = Samples.event(Samples.task("t", "id", 1, "one"));
        EventEnvelope two = Samples.event(Samples.task("t", "id", 2, "two"));
        double duplicates = fixture.counted("duplicate");
        double stale = fixture.counted("stale");
        write(two);
        write(two, two);
        write(one, two);
        // The same state under another event id, as a replay from current state emits it.
        write(Samples.event(Samples.task("t", "id", 2, "two")));
        assertThat(titleOf("t:id")).isEqualTo("two");
        assertThat(fixture.counted("duplicate") - duplicates).isEqualTo(4);
        assertThat(fixture.counted("stale") - stale).isEqualTo(1);
        assertThat(states()).isEqualTo(Map.of("applied", 1L, "superseded", 2L));
    }

    @Test
    void several_versions_in_one_batch_leave_the_newest_whatever_their_order() {
        write(
                Samples.event(Samples.task("t", "id", 2, "two")),
                Samples.event(Samples.task("t", "id", 4, "four")),
                Samples.event(Samples.task("t", "id", 3, "three")),
                Samples.event(Samples.task("t", "other", 1, "other")));
        assertThat(titleOf("t:id")).isEqualTo("four");
        assertThat(titleOf("t:other")).isEqualTo("other");
    }

    @Test
    void a_removed_key_stays_a_tombstone_and_goes_on_with_its_version() {
        write(Samples.event(Samples.task("t", "id", 1, "one")));
        write(Samples.event(Samples.task("t", "id", 5, "five", "", true)));
        write(Samples.event(Samples.task("t", "id", 4, "late")));
        assertThat(fixture.jdbc.queryForMap("select version, deleted, document from \"index\".entry"))
                .containsEntry("version", 5L)
                .containsEntry("deleted", true)
                .containsEntry("document", null);
        write(Samples.event(Samples.task("t", "id", 6, "back")));
        assertThat(titleOf("t:id")).isEqualTo("back");
    }

    @Test
    void two_contents_of_one_version_raise_an_alarm_and_the_second_is_parked() {
        double alarms = fixture.alarms("version_conflict");
        write(Samples.event(Samples.task("t", "id", 1, "one")));
        EventEnvelope lie = Samples.event(Samples.task("t", "id", 1, "another one"));
        write(lie, Samples.event(Samples.task("t", "next", 1, "next")));
        assertThat(titleOf("t:id")).isEqualTo("one");
        assertThat(titleOf("t:next")).isEqualTo("next");
        assertThat(fixture.alarms("version_conflict") - alarms).isEqualTo(1);
        assertThat(parked()).containsExactly("version_conflict");
        assertThat(fixture.jdbc.queryForObject(
                        "select state from \"index\".inbox_event where event_id = ?", String.class, lie.id()))
                .isEqualTo("parked");
    }

    @Test
    void what_cannot_be_read_is_parked_once_with_its_bytes_and_the_rest_flows_on() {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        EventEnvelope good = Samples.event(Samples.task("t", "good", 1, "good"));
        batch.add(poison("not json".getBytes(), good));
        batch.add(poison(null, good));
        batch.add(poison(new byte[] {(byte) 0xff, 0}, good));
        ProducerRecord<byte[], byte[]> headerless = Samples.record(good);
        headerless.headers().remove("ce_type");
        batch.add(Samples.consumed(headerless, offset++));
        batch.add(Samples.consumed(
                new ProducerRecord<>(Topics.TASK, "\u0000key".getBytes(), "{\"a\":\"\\u0000\"}".getBytes()), offset++));
        batch.add(Samples.consumed(good, offset++));
        writer.write(batch);
        writer.write(batch);
        assertThat(parked()).hasSize(5).containsOnly("undecodable");
        assertThat(fixture.jdbc.queryForObject(
                        "select value from \"index\".parked_record where record_offset = 0", byte[].class))
                .isEqualTo("not json".getBytes());
        assertThat(titleOf("t:good")).isEqualTo("good");
    }

    @Test
    void what_postgresql_refuses_is_parked_alone() {
        EventEnvelope good = Samples.event(Samples.key("t", Samples.token("key1"), 1, false, "read"));
        EventEnvelope key = Samples.event(Samples.key("t", Samples.token("key2"), 1, false, "read"));
        EventEnvelope refused = new EventEnvelope(
                key.id(),
                key.type(),
                key.source(),
                key.subject(),
                key.time(),
                key.recordKey(),
                1,
                null,
                key.data().replace("t-cli", "t\\u0000cli"));
        write(good, refused, Samples.event(Samples.task("t", "id", 1, "one")));
        assertThat(parked()).containsExactly("handler_failed");
        assertThat(titleOf("t:id")).isEqualTo("one");
        assertThat(fixture.jdbc.queryForList("select key_id from \"index\".api_key", String.class))
                .containsExactly("key1");
        // A redrive of a mended record meets no memory of the parked one.
        write(key);
        assertThat(fixture.jdbc.queryForList("select key_id from \"index\".api_key order by 1", String.class))
                .containsExactly("key1", "key2");
    }

    @Test
    void a_key_and_a_task_of_one_record_key_do_not_meet() {
        write(Samples.event(Samples.key("t", Samples.token("same"), 3, false, "read")));
        write(Samples.event(Samples.task("t", "same", 1, "task")));
        assertThat(titleOf("t:same")).isEqualTo("task");
        write(Samples.event(Samples.key("t", Samples.token("same"), 4, true, "read")));
        assertThat(fixture.jdbc.queryForObject("select deleted from \"index\".api_key", Boolean.class))
                .isTrue();
    }

    @Test
    void zombies_at_work_on_the_same_records_take_no_version_back() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("zombies_at_work seed " + seed);
        List<EventEnvelope> history = new ArrayList<>();
        for (int key = 0; key < 5; key++) {
            for (int version = 1; version <= 12; version++) {
                history.add(Samples.event(Samples.task("t", "k" + key, version, "v" + version)));
            }
        }
        fixture.jdbc.execute(
                """
                create or replace function "index".never_back() returns trigger language plpgsql as $$
                begin
                  if new.version <= old.version then raise exception 'a version was taken back'; end if;
                  return new;
                end $$
                """);
        fixture.jdbc.execute("drop trigger if exists never_back on \"index\".entry");
        fixture.jdbc.execute("create trigger never_back before update on \"index\".entry "
                + "for each row execute function \"index\".never_back()");
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(seed + t);
                work.add(pool.submit(() -> {
                    List<EventEnvelope> mine = new ArrayList<>(history);
                    Collections.shuffle(mine, random);
                    EntryWriter own = fixture.newWriter();
                    together.await();
                    for (int from = 0; from < mine.size(); from += 10) {
                        EntryFixture.writeUntilDone(own, records(mine.subList(from, from + 10)));
                    }
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
            fixture.jdbc.execute("drop trigger never_back on \"index\".entry");
        }
        assertThat(fixture.jdbc.queryForList("select version from \"index\".entry", Long.class))
                .hasSize(5)
                .containsOnly(12L);
        assertThat(fixture.jdbc.queryForList("select aggregate_version from \"index\".watermark", Long.class))
                .hasSize(5)
                .containsOnly(12L);
        assertThat(parked()).isEmpty();
    }

    @Test
    void old_event_ids_go_and_parked_ones_and_watermarks_stay() {
        write(Samples.event(Samples.task("t", "id", 1, "one")));
        write(Samples.event(Samples.task("t", "id", 1, "lie")));
        fixture.jdbc.update("update \"index\".inbox_event set received_at = now() - interval '36 days'");
        write(Samples.event(Samples.task("t", "new", 1, "new")));
        assertThat(fixture.entries.deleteOldEventIds(35, 100)).isEqualTo(1);
        assertThat(states()).isEqualTo(Map.of("applied", 1L, "parked", 1L));
        assertThat(fixture.jdbc.queryForObject("select count(*) from \"index\".watermark", Long.class))
                .isEqualTo(2);
    }

    private void write(EventEnvelope... events) {
        writer.write(records(List.of(events)));
    }

    private List<ConsumerRecord<byte[], byte[]>> records(List<EventEnvelope> events) {
        synchronized (this) {
            return events.stream()
                    .map(event -> Samples.consumed(event, offset++))
                    .toList();
        }
    }

    private ConsumerRecord<byte[], byte[]> poison(byte[] value, EventEnvelope like) {
        ProducerRecord<byte[], byte[]> good = KafkaEventCodec.encode(Topics.TASK, like);
        return Samples.consumed(
                new ProducerRecord<>(Topics.TASK, null, null, good.key(), value, good.headers()), offset++);
    }

    private static String titleOf(String recordKey) {
        return fixture.jdbc.queryForObject(
                "select document::json ->> 'title' from \"index\".entry where kind = 'task' and record_key = ?",
                String.class,
                recordKey);
    }

    private static List<String> parked() {
        return fixture.jdbc.queryForList("select reason_code from \"index\".parked_record order by id", String.class);
    }

    private static Map<String, Long> states() {
        Map<String, Long> result = new java.util.HashMap<>();
        fixture.jdbc.query("select state, count(*) from \"index\".inbox_event group by state", row -> {
            result.put(row.getString(1), row.getLong(2));
        });
        return result;
    }
}
