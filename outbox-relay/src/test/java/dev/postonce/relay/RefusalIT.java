package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.relay.source.Refusal.Code;
import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

/** Each trap, closed loudly: nothing is published past it, and the operator's word mends it without a loss. */
@Tag("parts")
class RefusalIT {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private OutboxFixture outbox;
    private TestRelay relay;
    private int label;

    @BeforeEach
    void stream() {
        outbox = new OutboxFixture();
        outbox.insert("first", 1, "{}");
        relay = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start();
        awaitPublished();
    }

    @AfterEach
    void close() {
        relay.close();
        outbox.close();
    }

    @Test
    void a_dropped_and_a_recreated_slot_are_refused_and_mended_by_a_new_baseline() {
        relay.close();
        UUID missed = outbox.insert("missed", 1, "{}");
        sql("select pg_drop_replication_slot(?)", outbox.source.slot());
        start(Map.of());
        assertRefused(Code.SLOT_MISSING);

        sql("select pg_create_logical_replication_slot(?, 'pgoutput')", outbox.source.slot());
        UUID later = outbox.insert("later", 1, "{}");
        // The cause is gone in name only; the gap is still there.
        await().atMost(PATIENCE).until(() -> refusal() == Code.SLOT_AHEAD);
        assertNotPublished(missed, later);

        mend();
    }

    @Test
    void a_slot_that_was_moved_while_it_streams_or_stands_is_refused() {
        relay.close();
        UUID missed = outbox.insert("missed", 1, "{}");
        sql("select pg_replication_slot_advance(?, pg_current_wal_insert_lsn())", outbox.source.slot());
        start(Map.of());
        assertRefused(Code.SLOT_AHEAD);
        assertNotPublished(missed);
        mend();
    }

    @Test
    void a_slot_whose_log_is_given_up_is_refused() {
        relay.close();
        UUID missed = outbox.insert("missed", 1, "{}");
        outbox.database.execute("alter system set max_slot_wal_keep_size = '1MB'");
        try {
            sql("select pg_reload_conf()::text");
            await().atMost(PATIENCE).until(() -> {
                outbox.superuser.execute("select pg_logical_emit_message(false, 'fill', repeat('x', 1000))");
                outbox.superuser.execute("select pg_switch_wal()");
                outbox.superuser.execute("checkpoint");
                return "lost"
                        .equals(outbox.superuser.queryForObject(
                                "select wal_status from pg_replication_slots where slot_name = ?",
                                String.class,
                                outbox.source.slot()));
            });
        } finally {
            outbox.database.execute("alter system reset max_slot_wal_keep_size");
            sql("select pg_reload_conf()::text");
        }
        start(Map.of());
        assertRefused(Code.SLOT_LOST);
        assertNotPublished(missed);
        mend();
    }

    @Test
    void a_publication_without_the_table_stops_a_running_stream() {
        outbox.ingest.execute("alter publication postonce_ingest_outbox drop table ingest.outbox_event");
        assertRefused(Code.PUBLICATION_INCOMPLETE);
        UUID missed = outbox.insert("missed", 1, "{}");
        outbox.ingest.execute("alter publication postonce_ingest_outbox add table ingest.outbox_event");
        await().atMost(PATIENCE).until(() -> refusal() == Code.PUBLICATION_CHANGED);
        assertNotPublished(missed);
        mend();
    }

    @Test
    void a_publication_that_was_made_anew_while_nobody_looked_is_refused() {
        relay.close();
        outbox.ingest.execute("drop publication postonce_ingest_outbox");
        UUID missed = outbox.insert("missed", 1, "{}");
        outbox.createPublication();
        start(Map.of());
        assertRefused(Code.PUBLICATION_CHANGED);
        assertNotPublished(missed);
        mend();
    }

    @Test
    void another_system_timeline_and_cluster_are_refused() {
        for (Map.Entry<String, Code> fake : Map.of(
                        "system_identifier = '1'", Code.SYSTEM_CHANGED,
                        "timeline = 7", Code.TIMELINE_CHANGED,
                        "kafka_cluster_id = 'elsewhere'", Code.KAFKA_CLUSTER_CHANGED)
                .entrySet()) {
            Map<String, Object> was = outbox.superuser.queryForMap(
                    "select system_identifier, timeline, kafka_cluster_id from relay.source");
            outbox.superuser.update("update relay.source set " + fake.getKey());
            assertRefused(fake.getValue());
            outbox.superuser.update(
                    "update relay.source set system_identifier = ?, timeline = ?, kafka_cluster_id = ?",
                    was.get("system_identifier"),
                    was.get("timeline"),
                    was.get("kafka_cluster_id"));
            await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
        }
        outbox.insert("afterwards", 1, "{}");
        awaitPublished();
    }

    @Test
    void a_topic_that_was_made_anew_is_refused_and_filled_again_by_a_baseline() {
        OutboxFixture.admin(admin -> admin.deleteTopics(List.of(outbox.topic, outbox.otherTopic))
                .all()
                .get());
        assertRefused(Code.TOPIC_CHANGED);
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(outbox::createTopics);
        assertRefused(Code.TOPIC_CHANGED);
        mend();
    }

    /** A new label, and everything that was committed is on the topic; the newest version of a key comes last. */
    private void mend() {
        relay.close();
        start(Map.of("ingest", "ingest@" + ++label));
        awaitPublished();
        outbox.insert("first", 2, "{}");
        awaitPublished();
        // The same label again changes nothing, so that a restart does not publish the table again.
        relay.close();
        Map<String, Object> before = outbox.superuser.queryForMap("select slot_created_at from relay.source");
        start(Map.of("ingest", "ingest@" + label));
        await().atMost(PATIENCE).until(() -> relay.status.view().state() == State.STREAMING);
        assertThat(outbox.superuser.queryForMap("select slot_created_at from relay.source"))
                .isEqualTo(before);
    }

    private void awaitPublished() {
        try (TopicReader topic = new TopicReader(outbox.topic)) {
            topic.awaitIds(outbox.committedIds(), 40);
            topic.assertOrder();
            topic.assertCopiesAreExact();
        }
    }

    private void assertNotPublished(UUID... ids) {
        try (TopicReader topic = new TopicReader(outbox.topic)) {
            assertThat(topic.ids()).doesNotContainAnyElementsOf(Set.of(ids));
        }
    }

    private void assertRefused(Code code) {
        await().atMost(PATIENCE).until(() -> refusal() == code);
        assertThat(relay.status.view().state()).isEqualTo(State.REFUSED);
        var health = relay.health().health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("ingest"))
                .asString()
                .contains(code.wireName(), "POSTONCE_RELAY_REBASELINE", "reason_zh");
        assertThat(relay.meters
                        .get("postonce.relay.state")
                        .tag("state", "refused")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    private Code refusal() {
        var refusal = relay.status.view().refusal();
        return refusal == null ? null : refusal.code();
    }

    private void start(Map<String, String> rebaseline) {
        relay = new TestRelay(outbox.source, outbox.database, outbox.relayPool, TestInfra.kafkaBootstrap(), rebaseline)
                .start();
    }

    private void sql(String sql, Object... arguments) {
        outbox.superuser.query(sql, row -> {}, arguments);
    }
}
