package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FirstStartIT {

    private OutboxFixture outbox;
    private TopicReader topic;
    private TestRelay relay;

    @BeforeAll
    void write_before_the_first_start() {
        outbox = new OutboxFixture();
        topic = new TopicReader(outbox.topic);
        for (int version = 1; version <= 3; version++) {
            for (int key = 0; key < 100; key++) {
                outbox.insert("early-" + key, version, "{\"v\":" + version + "}");
            }
        }
    }

    @AfterAll
    void close() {
        relay.close();
        topic.close();
        outbox.close();
    }

    @Test
    @Order(1)
    void rows_from_before_the_slot_are_published_once_and_in_order() throws InterruptedException {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        // Its row has a lower seq than what is committed while the slot is made.
        Thread slow = new Thread(() -> outbox.inTransaction(tx -> {
            tx.insert("slow", 1, "{}");
            open.countDown();
            awaitQuietly(finish);
        }));
        slow.start();
        open.await();
        relay = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start();
        await().atMost(Duration.ofSeconds(20)).until(() -> slotIsBeingMade());
        outbox.insert("early-0", 4, "{\"v\":4}");
        finish.countDown();
        slow.join();

        topic.awaitIds(outbox.committedIds(), 30);
        topic.assertOrder();
        assertThat(topic.assertCopiesAreExact()).isZero();
        await().atMost(Duration.ofSeconds(20)).until(() -> relay.status.view().state() == State.STREAMING);
    }

    @Test
    @Order(2)
    void the_slot_and_what_it_belongs_to_are_recorded() {
        Map<String, Object> row = outbox.superuser.queryForMap(
                "select state, slot_name, consistent_lsn::text, system_identifier, timeline, kafka_cluster_id,"
                        + " position_lsn >= consistent_lsn as ahead from relay.source where source = 'ingest'");
        assertThat(row).containsEntry("state", "streaming").containsEntry("slot_name", outbox.source.slot());
        assertThat(row).containsEntry("timeline", 1).containsEntry("ahead", true);
        assertThat(row.get("consistent_lsn")).asString().contains("/");
        assertThat(row.get("system_identifier")).asString().hasSizeGreaterThan(10);
        assertThat(row.get("kafka_cluster_id")).asString().isNotEmpty();
        assertThat(outbox.superuser.queryForList("select topic from relay.topic", String.class))
                .containsExactlyInAnyOrder(outbox.topic, outbox.otherTopic);
    }

    @Test
    @Order(3)
    void what_is_rolled_back_is_never_published() {
        UUID[] rolledBack = new UUID[1];
        outbox.ingestTransaction.executeWithoutResult(status -> {
            rolledBack[0] = outbox.insert("rolled-back", 1, "{}");
            status.setRollbackOnly();
        });
        UUID after = outbox.insert("after-rollback", 1, "{}");
        topic.awaitIds(List.of(after), 20);
        assertThat(topic.ids()).doesNotContain(rolledBack[0]);
    }

    @Test
    @Order(4)
    void a_lower_seq_that_commits_last_is_not_passed_over() throws InterruptedException {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Thread slow = new Thread(() -> outbox.inTransaction(tx -> {
            tx.insert("late-commit", 1, "{}");
            open.countDown();
            awaitQuietly(finish);
        }));
        slow.start();
        open.await();
        UUID higher = outbox.insert("early-commit", 1, "{}");
        topic.awaitIds(List.of(higher), 20);
        finish.countDown();
        slow.join();
        topic.awaitIds(outbox.committedIds(), 20);
        topic.assertOrder();
    }

    @Test
    @Order(5)
    void a_restart_goes_on_where_it_was() {
        relay.close();
        outbox.insert("early-1", 4, "{}");
        outbox.insert("early-1", 5, "{}");
        relay = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start();
        topic.awaitIds(outbox.committedIds(), 30);
        topic.assertOrder();
        assertThat(topic.assertCopiesAreExact()).isLessThanOrEqualTo(5);
    }

    @Test
    @Order(6)
    void ended_backends_are_survived() {
        for (int round = 0; round < 2; round++) {
            outbox.superuser.query(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where usename = 'postonce_relay' and datname = ?",
                    row -> {},
                    outbox.database.name());
            outbox.insert("early-2", 4 + round, "{}");
            topic.awaitIds(outbox.committedIds(), 40);
        }
        topic.assertOrder();
        topic.assertCopiesAreExact();
    }

    private boolean slotIsBeingMade() {
        return !outbox.superuser
                .queryForList(
                        "select 1 from pg_replication_slots where slot_name = ? and confirmed_flush_lsn is null",
                        outbox.source.slot())
                .isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
