package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Kafka refuses one record for good, everything for a while; big transactions; an idle outbox in a busy database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KafkaTroubleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private OutboxFixture outbox;
    private TopicReader topic;
    private TestRelay relay;
    private final Set<UUID> parked = new HashSet<>();

    @BeforeAll
    void start() {
        outbox = new OutboxFixture();
        topic = new TopicReader(outbox.topic);
        relay = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start();
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
    }

    @AfterAll
    void close() {
        relay.close();
        topic.close();
        outbox.close();
    }

    @Test
    @Order(1)
    void a_record_over_the_topics_limit_is_parked_and_the_others_flow() {
        configure("max.message.bytes", "20000");
        String random = random(60_000);
        outbox.inTransaction(tx -> {
            tx.insert("large", 1, "{}");
            parked.add(tx.insert("large", 2, "{\"x\":\"" + random + "\"}"));
            tx.insert("small", 1, "{}");
        });
        parked.add(outbox.insert("elsewhere.topic", "large-2", 1, "{}"));
        topic.awaitIds(committedButParked(), 40);
        await().atMost(PATIENCE).until(() -> parkedRows("settled_at is null").size() == 2);
        Map<String, Object> row =
                outbox.superuser.queryForMap("select * from relay.parked_event where record_key = 't1:large'");
        assertThat(row).containsEntry("reason_code", "record_too_large").containsEntry("aggregate_version", 2L);
        assertThat(row.get("data").toString()).contains(random);
        assertThat(parkedRows("reason_code = 'unknown_topic'")).hasSize(1);
        assertThat(relay.meters
                        .get("postonce.relay.parked")
                        .tag("reason", "record_too_large")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    @Order(2)
    void a_later_version_of_its_key_supersedes_what_is_parked_and_it_is_never_sent_again() {
        outbox.insert("large", 3, "{}");
        topic.awaitIds(committedButParked(), 40);
        await().atMost(PATIENCE)
                .until(() -> parkedRows("settled_how = 'superseded'").size() == 1);
        // The limit is raised, and the table published again: what was superseded has lost its place.
        configure("max.message.bytes", "2097152");
        relay.close();
        relay = new TestRelay(
                        outbox.source,
                        outbox.database,
                        outbox.relayPool,
                        TestInfra.kafkaBootstrap(),
                        Map.of("ingest", "ingest@raised"))
                .start();
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
        assertThat(topic.ids()).doesNotContainAnyElementsOf(parked);
        topic.assertOrder();
    }

    @Test
    @Order(3)
    void while_kafka_refuses_everything_waits_and_nothing_is_skipped() {
        // No record is ever young enough for this.
        configure("message.timestamp.before.max.ms", "0");
        outbox.insert("wait", 1, "{}");
        outbox.insert("wait", 2, "{}");
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.RETRYING);
        assertThat(relay.health().health().getDetails().get("ingest"))
                .asString()
                .contains("retrying", "out of range");
        outbox.insert("wait", 3, "{}");
        assertThat(relay.status.unpublishedAgeSeconds()).isPositive();
        configure("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
        topic.awaitIds(committedButParked(), 60);
        topic.assertOrder();
        topic.assertCopiesAreExact();
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
    }

    @Test
    @Order(4)
    void a_clock_that_was_set_back_costs_it_its_reader_and_its_producer_and_nothing_is_skipped() {
        Set<String> before = readers();
        double restarts = restarts();
        assertThat(before).isNotEmpty();
        outbox.insert("clock", 1, "{}");
        relay.clockSetBack();
        outbox.insert("clock", 2, "{}");
        topic.awaitIds(committedButParked(), 60);
        topic.assertOrder();
        topic.assertCopiesAreExact();
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
        assertThat(readers()).isNotEmpty().doesNotContainAnyElementsOf(before);
        assertThat(restarts()).as("what went wrong").isEqualTo(restarts);
    }

    /** Each engine runs on a thread of its name. */
    private static Set<String> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("postonce-relay-"))
                .collect(Collectors.toSet());
    }

    private double restarts() {
        return relay.meters.get("postonce.relay.restarts").counter().count();
    }

    @Test
    @Order(4)
    void one_transaction_of_twenty_thousand_rows_passes_through_bounded_memory() {
        String filler = "x".repeat(2_000);
        outbox.ingest.execute(
                """
                insert into ingest.outbox_event
                  (event_id, topic, record_key, event_type, source, subject, aggregate_version, occurred_at, data)
                select gen_random_uuid(), '%s', 't1:bulk-' || n %% 500, 'dev.postonce.task.state.v1',
                       '/postonce/ingest', 'bulk', 1 + n / 500, now(), '{"f":"%s"}'
                from generate_series(0, 19999) as n
                """
                        .formatted(outbox.topic, filler));
        topic.awaitIds(committedButParked(), 90);
        topic.assertOrder();
        double published = relay.meters
                .get("postonce.relay.published")
                .tag("topic", outbox.topic)
                .counter()
                .count();
        assertThat(published).isGreaterThanOrEqualTo(20_000);
    }

    @Test
    @Order(5)
    void an_idle_outbox_beside_a_busy_database_does_not_hold_the_log_back() {
        outbox.database.execute("create table public.busy (filler text)");
        for (int i = 0; i < 8; i++) {
            outbox.database.execute("insert into public.busy select repeat('x', 1000) from generate_series(1, 4000)");
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            Map<String, Object> slot = outbox.superuser.queryForMap(
                    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), confirmed_flush_lsn)::bigint as lag,"
                            + " confirmed_flush_lsn <= (select position_lsn from relay.source) as behind"
                            + " from pg_replication_slots where slot_name = ?",
                    outbox.source.slot());
            assertThat((Long) slot.get("lag")).isLessThan(1_000_000);
            assertThat(slot).containsEntry("behind", true);
        });
        await().atMost(PATIENCE)
                .until(() -> relay.meters
                                .get("postonce.relay.slot.lag.bytes")
                                .gauge()
                                .value()
                        < 1_000_000);
    }

    private List<UUID> committedButParked() {
        List<UUID> ids = new ArrayList<>(outbox.committedIds());
        ids.removeAll(parked);
        return ids;
    }

    private List<Map<String, Object>> parkedRows(String condition) {
        return outbox.superuser.queryForList("select * from relay.parked_event where " + condition);
    }

    private void configure(String name, String value) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, outbox.topic);
        OutboxFixture.admin(admin -> admin.incrementalAlterConfigs(Map.of(
                        resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
                .all()
                .get());
    }

    private static String random(int length) {
        Random random = new Random(11);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
