package dev.postonce.standalone.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.EventType;
import dev.postonce.invariants.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One system that goes wrong step by step; topics cannot be unwritten, so the order stands. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VerificationIT {

    private static final String METERS =
            """
            # HELP process_start_time_seconds when it began
            process_start_time_seconds{service="x"} %s
            process_files_open_files 20.0
            process_files_max_files 1000.0
            postonce_intake_requests_seconds_count{outcome="created",route="POST /v1/tasks"} %%d
            postonce_intake_lines_total{face="batch",outcome="created"} 1
            postonce_intake_requests_seconds_count{outcome="replay",route="GET /v1/tasks/{external_id}"} 9
            postonce_dispatch_targets{state="published"} %%d.0
            postonce_dispatch_targets{state="failed"} 0.0
            postonce_dispatch_in_doubt 0.0
            postonce_dispatch_parked 0.0
            postonce_callback_parked 0.0
            postonce_relay_published_total{source="ingest",topic="postonce.task.v1"} %%d.0
            hikaricp_connections_pending{pool="x"} %%d.0
            """
                    .formatted(WrittenSystem.BEFORE.minusSeconds(60).toEpochMilli() / 1e3);

    private static WrittenSystem system;

    @BeforeAll
    static void write() throws IOException, InterruptedException {
        system = new WrittenSystem();
        system.wholeTask("mall_promo_1111_kv_v2");
        system.wholeTask("cms_98231_v1");
        system.wholeTask("shop_note");
    }

    @AfterAll
    static void close() {
        system.close();
    }

    @Test
    @Order(1)
    void a_system_where_everything_arrived_is_clean() throws InterruptedException {
        Verdict verdict = verify("");
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.notRead()).isEmpty();
        assertThat(verdict.counts())
                .containsEntry("tasks", 3L)
                .containsEntry("targets", 3L)
                .containsEntry("events", 6L)
                .containsEntry("topic_records", 6L)
                .containsEntry("index_entries", 3L)
                .containsEntry("posts", 3L);
        StringWriter text = new StringWriter();
        VerdictOutput.text(verdict, new PrintWriter(text));
        assertThat(text.toString()).contains("One post").contains("Clean");
        assertThat(VerdictOutput.json(verdict).path("ok").asBoolean()).isTrue();
    }

    @Test
    @Order(2)
    void it_needs_no_right_to_write() throws InterruptedException {
        system.execute("revoke insert, update, delete on all tables in schema ingest from postonce_verify");
        assertThat(verify("").isClean()).isTrue();
    }

    @Test
    @Order(2)
    void an_answer_of_a_search_engine_stands_for_no_request() throws InterruptedException {
        system.execute("insert into ingest.audit values ('dev','cms_98231_v1',null,'updated',7,0,"
                + "'EVENT postonce.dispatch.v1',now()), ('dev','nobody_1',null,'updated',1,0,"
                + "'EVENT postonce.dispatch.v1',now())");
        assertThat(verify("").violations()).isEmpty();
    }

    @Test
    @Order(2)
    void meters_are_compared_with_the_rows_that_they_stand_for() throws InterruptedException {
        system.meters(METERS.formatted(2, 3, 3, 0));
        Verdict agreed = meteredVerdict();
        assertThat(agreed.violations()).isEmpty();
        assertThat(agreed.notRead()).isEmpty();
        system.meters(METERS.formatted(3, 2, 9, 1));
        assertThat(meteredVerdict().violations().stream()
                        .map(violation -> violation.invariant() + " " + violation.kind() + " "
                                + violation.key().replaceAll(" at http.*", "")))
                .containsExactlyInAnyOrder(
                        "I13 UNTRUE created",
                        "I13 STALE postonce_dispatch_targets{state=\"published\"}",
                        "I13 UNTRUE published to postonce.task.v1",
                        "I14 EXTRA threads that wait for a connection",
                        "I14 EXTRA threads that wait for a connection",
                        "I14 EXTRA threads that wait for a connection");
        // Where a clock was set back nobody can say what was written since a process began; all of it is a bound.
        system.execute("insert into ingest.audit values ('dev',null,null,'created',1,201,'POST /v1/tasks','"
                + WrittenSystem.BEFORE.minusSeconds(7_200) + "')");
        system.meters(METERS.formatted(3, 3, 3, 0));
        assertThat(meteredVerdict().violations()).isEmpty();
        system.execute("delete from ingest.audit where external_id is null");
        system.meters("");
        assertThat(meteredVerdict().notRead()).hasSize(3).allMatch(line -> line.startsWith("meters of "));
    }

    private static Verdict meteredVerdict() throws InterruptedException {
        return new Verification(system.metered(), Clock.systemUTC(), line -> {}, ResourceLevels.whenQuiet())
                .run("", Duration.ofSeconds(30));
    }

    @Test
    @Order(3)
    void each_thing_that_went_wrong_is_found_at_its_key() throws InterruptedException {
        // Committed, but lost on the way to the topic.
        system.taskRow("lost_1");
        system.outbox(
                "ingest",
                EventType.TASK_STATE,
                "dev:lost_1",
                "lost_1",
                WrittenSystem.data("lost_1", 1),
                1,
                WrittenSystem.BEFORE);
        // Never committed, but on the topic.
        system.publish(EventType.TASK_STATE, "dev:ghost_1", "ghost_1", WrittenSystem.data("ghost_1", 1), 1);
        system.send(new ProducerRecord<>("postonce.task.v1", new byte[] {1}, new byte[] {2}));
        // A second post of one target, and an index that shows something that was never committed.
        system.post("cms_98231_v1", "999");
        system.replica("shop_note", 7);
        // Nobody knows who submitted this one, and it rests without its upstream having been told.
        system.execute("delete from ingest.audit where external_id = 'shop_note'");
        system.execute("update ingest.task set callback_url = 'https://up.example' where external_id = 'shop_note'");
        // Still on its way.
        system.taskRow("young_1");
        system.outbox(
                "ingest",
                EventType.TASK_STATE,
                "dev:young_1",
                "young_1",
                WrittenSystem.data("young_1", 1),
                1,
                Instant.now());

        Verdict verdict = verify("");
        assertThat(lines(verdict.violations()))
                .containsExactlyInAnyOrder(
                        "I4 MISSING task dev:lost_1",
                        "I6 MISSING task dev:lost_1",
                        "I6 MISSING task dev:lost_1",
                        "I4 EXTRA task dev:ghost_1",
                        "I4 EXTRA postonce.task.v1",
                        "I7 DOUBLED target dev:cms_98231_v1/wordpress",
                        "I6 EXTRA task dev:shop_note",
                        "I9 MISSING target dev:shop_note/wordpress",
                        "I12 MISSING task dev:shop_note");
        assertThat(verdict.mayStillArrive()).isFalse();
    }

    @Test
    @Order(4)
    void a_prefix_looks_at_its_keys_only() throws InterruptedException {
        Verdict verdict = verify("mall_");
        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.counts()).containsEntry("tasks", 1L).containsEntry("topic_records", 2L);
        assertThat(lines(verify("lost_").violations()))
                .containsExactly(
                        "I4 MISSING task dev:lost_1", "I6 MISSING task dev:lost_1", "I6 MISSING task dev:lost_1");
    }

    @Test
    @Order(5)
    void a_replica_that_is_away_is_named_and_the_rest_is_judged() throws InterruptedException {
        VerifySources all = system.sources();
        VerifySources away = new VerifySources(
                all.databaseUrl(),
                all.databasePassword(),
                all.kafkaBootstrap(),
                List.of("http://127.0.0.1:1"),
                all.sandboxUrl(),
                all.opsKey(),
                all.tenantId(),
                List.of());
        Verdict verdict = new Verification(away, Clock.systemUTC(), line -> {}).run("mall_", Duration.ZERO);
        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.notRead()).singleElement().asString().contains("http://127.0.0.1:1");
    }

    @Test
    @Order(6)
    void a_source_that_is_away_leaves_no_verdict() {
        VerifySources all = system.sources();
        VerifySources noPosts = new VerifySources(
                all.databaseUrl(),
                all.databasePassword(),
                all.kafkaBootstrap(),
                List.of(),
                "http://127.0.0.1:1",
                all.opsKey(),
                all.tenantId(),
                List.of());
        assertThatThrownBy(() -> new Verification(noPosts, Clock.systemUTC(), line -> {}).run("", Duration.ZERO))
                .isInstanceOf(CouldNotReadException.class);
        VerifySources noDatabase = new VerifySources(
                "jdbc:postgresql://127.0.0.1:1/postonce",
                all.databasePassword(),
                all.kafkaBootstrap(),
                List.of(),
                null,
                all.opsKey(),
                all.tenantId(),
                List.of());
        assertThatThrownBy(() -> new Verification(noDatabase, Clock.systemUTC(), line -> {}).run("", Duration.ZERO))
                .isInstanceOf(CouldNotReadException.class)
                .hasMessageContaining("database");
    }

    private static Verdict verify(String prefix) throws InterruptedException {
        return new Verification(system.sources(), Clock.systemUTC(), line -> {}).run(prefix, Duration.ofSeconds(30));
    }

    private static List<String> lines(List<Violation> violations) {
        return violations.stream()
                .map(violation -> violation.invariant() + " " + violation.kind() + " "
                        + violation.key().replaceAll(" partition.*", ""))
                .toList();
    }
}
