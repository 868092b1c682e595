package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA_OPS;
import static dev.postonce.ingest.Intake.INTAKE_KEY_ID;
import static dev.postonce.ingest.Intake.INTAKE_SECRET;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.together;
import static dev.postonce.ingest.intake.Faces.audited;
import static dev.postonce.ingest.intake.Faces.is;
import static dev.postonce.ingest.intake.Faces.told;
import static dev.postonce.ingest.intake.Faces.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitSignature;
import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.feed.TopicFeed;
import dev.postonce.ingest.intake.Faces.Told;
import dev.postonce.testinfra.GroupMembers;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is the intake topic's own: its types, signatures, refusals and offsets. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SubmitTopicIT {

    private static final String SECRETS = "/v1/intake-secrets";

    @BeforeAll
    static void start() throws Exception {
        Faces.start();
    }

    @AfterAll
    static void end() {
        Faces.end();
    }

    @Test
    @Order(1)
    void records_update_withdraw_and_submit_groups() {
        is(told(topic().send(SubmitType.TASK_SUBMIT, "k-1", campaign("k-task"))), 201, "created");
        ObjectNode update = campaign("k-task").put("title", "neu").put("if_match", 1);
        is(told(topic().send(SubmitType.TASK_UPDATE, "k-2", update)), 200, "updated");
        String withdrawal = "{\"external_id\":\"k-task\",\"status\":\"archived\",\"reason\":\"recalled\"}";
        is(told(topic().send(SubmitType.TASK_WITHDRAW, "k-5", withdrawal)), 200, "withdrawn");
        is(told(topic().send(SubmitType.TASK_WITHDRAW, "k-6", "{}")), 400, "bad_payload");
        is(told(topic().send(SubmitType.GROUP_SUBMIT, "k-7", "{\"group_id\":\"@kafka_group\"}")), 201, "created");
        post(ALPHA, "/v1/tasks/k-task/restore", "{}");
        assertThat(get(ALPHA, "/v1/tasks/k-task").at("title")).isEqualTo("neu");
    }

    @Test
    @Order(1)
    void what_is_refused_for_good_is_on_the_rejected_topic_with_its_problem() {
        told(topic().send(SubmitType.TASK_SUBMIT, "r-bad", campaign("a b")));
        byte[] value = campaign("r-forged").toString().getBytes(StandardCharsets.UTF_8);
        String signature = SubmitSignature.of(INTAKE_SECRET, "r-forged", SubmitType.TASK_SUBMIT.ceType(), value);
        // Signed, and then turned into another request.
        told(topic().send(SubmitType.TASK_WITHDRAW.ceType(), "r-forged", value, INTAKE_KEY_ID, signature));
        told(topic().send(SubmitType.TASK_SUBMIT, "r-unknown", campaign("r-unknown"), "nobody", "x"));
        String strange = "dev.postonce.task.erase.v1";
        told(topic().send(
                        strange,
                        "r-type",
                        value,
                        INTAKE_KEY_ID,
                        SubmitSignature.of(INTAKE_SECRET, "r-type", strange, value)));

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            List<JsonNode> rejected = SubmitTopic.rejected();
            assertThat(codeOf(rejected, "r-bad")).isEqualTo("bad_payload alpha");
            assertThat(codeOf(rejected, "r-forged")).isEqualTo("unauthorized ");
            assertThat(codeOf(rejected, "r-unknown")).isEqualTo("unauthorized ");
            assertThat(codeOf(rejected, "r-type")).isEqualTo("bad_payload alpha");
        });
        assertThat(SubmitTopic.rejected().toString()).doesNotContain(INTAKE_SECRET);
    }

    private static String codeOf(List<JsonNode> rejected, String id) {
        return rejected.stream()
                .filter(problem ->
                        problem.path("refused").path("ce_id").asString().equals(id))
                .map(problem -> problem.path("error_code").asString() + " "
                        + problem.path("refused").path("tenant_id").asString(""))
                .findFirst()
                .orElse("");
    }

    @Test
    @Order(1)
    void an_operator_changes_a_clients_secret_for_the_next_one() {
        String cms = "{\"client_id\":\"cms\"}";
        assertThat(post(Faces.kafka(), OPS, SECRETS + "?dry_run=true", cms)
                        .body()
                        .has("intake_secret"))
                .isFalse();
        Answer made = post(Faces.kafka(), OPS, SECRETS, cms);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Cache-Control")).contains("no-store");
        String next = made.at("intake_secret");
        String keyId = made.body().path("secret").path("key_id").asString();
        assertThat(next).startsWith("pis_").hasSizeGreaterThan(40);

        assertThat(post(Faces.kafka(), OPS, SECRETS, cms).at("error_code")).isEqualTo("key_conflict");
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"))), 201, "created");
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"), keyId, next)), 200, "replay");

        String revoke = SECRETS + "/" + keyId + ":revoke";
        assertThat(post(Faces.kafka(), BETA_OPS, revoke, "{}").status()).isEqualTo(404);
        assertThat(post(Faces.kafka(), ALPHA, revoke, "{}").status()).isEqualTo(403);
        assertThat(post(Faces.kafka(), OPS, revoke + "?dry_run=true", "{}").status())
                .isEqualTo(200);
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"), keyId, next)), 200, "replay");
        Answer revoked = post(Faces.kafka(), OPS, revoke, "{}");
        assertThat(revoked.body().path("secret").path("state").asString()).isEqualTo("revoked");
        assertThat(post(Faces.kafka(), OPS, revoke, "{}")
                        .body()
                        .path("idempotent_replay")
                        .asBoolean())
                .isTrue();
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-2", campaign("rot-2"), keyId, next)), 401, "unauthorized");
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-3", campaign("rot-3"))), 201, "created");

        Answer list = get(OPS, SECRETS);
        assertThat(list.text()).contains(keyId, INTAKE_KEY_ID).doesNotContain(next, INTAKE_SECRET);
        assertThat(get(BETA_OPS, SECRETS).text()).doesNotContain(keyId, INTAKE_KEY_ID);
        assertThat(count(
                        "ingest.audit where detail like '%\"secret\":\"intake\"%' and detail like ?",
                        "%" + keyId + "%"))
                .isEqualTo(3);
        assertThat(count("ingest.audit where detail like ?", "%" + next + "%")).isZero();
        assertThat(count("ingest.intake_secret where encode(ciphertext, 'escape') like ?", "%" + next + "%"))
                .isZero();
    }

    @Test
    @Order(1)
    void two_of_many_secrets_that_are_made_for_a_client_at_once_are_kept() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            work.add(() -> post(Faces.kafka(), OPS, SECRETS, "{\"client_id\":\"crowd\"}"));
        }
        List<Integer> statuses = together(work).stream().map(Answer::status).toList();
        assertThat(statuses.stream().filter(status -> status == 201)).hasSize(2);
        assertThat(statuses.stream().filter(status -> status == 409)).hasSize(6);
        assertThat(count("ingest.intake_secret where client_id = 'crowd'")).isEqualTo(2);
    }

    @Test
    @Order(1)
    void after_a_clock_that_was_set_back_another_consumer_follows_and_another_producer_tells() {
        is(told(topic().send(SubmitType.TASK_SUBMIT, "clock-1", campaign("clock-1"))), 201, "created");
        Set<String> before = GroupMembers.of(IntakeConfiguration.GROUP);
        Faces.kafka().bean(KafkaRejections.class).clockSetBack();
        Faces.kafka().bean("intakeFeed", TopicFeed.class).clockSetBack();
        String bad = topic().send(SubmitType.TASK_SUBMIT, "clock-bad", campaign("a b"));
        is(told(topic().send(SubmitType.TASK_SUBMIT, "clock-2", campaign("clock-2"))), 201, "created");
        told(bad);
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(codeOf(SubmitTopic.rejected(), "clock-bad")).isEqualTo("bad_payload alpha");
            assertThat(GroupMembers.of(IntakeConfiguration.GROUP)).isNotEmpty().doesNotContainAnyElementsOf(before);
        });
        // Each is in the audit once, and no more: none was taken again.
        assertThat(count("ingest.audit where external_id in ('clock-1', 'clock-2')"))
                .isEqualTo(2);
    }

    @Test
    @Order(2)
    void what_may_be_tried_again_waits_with_its_offset_and_the_other_partitions_go_on() throws Exception {
        post(ALPHA, "/v1/tasks", campaign("wait-0"));
        String waiting;
        try (Connection other = Intake.database().asSuperuser().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("insert into ingest.task select (jsonb_populate_record(t,"
                    + " jsonb_build_object('external_id', 'wait-1', 'task_id', gen_random_uuid()))).*"
                    + " from ingest.task t where external_id = 'wait-0'");
            waiting = topic().send(SubmitType.TASK_SUBMIT, "wait-1", campaign("wait-1"));
            // Its partition tells its record apart; some of these stand in others.
            int elsewhere = 0;
            for (int i = 0; i < 12; i++) {
                String one = topic().send(SubmitType.TASK_SUBMIT, "wait-x" + i, campaign("wait-x" + i));
                if (!one.split(":")[1].equals(waiting.split(":")[1])) {
                    is(told(one), 201, "created");
                    elsewhere++;
                }
            }
            assertThat(elsewhere).isPositive();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Faces.kafka().bean(PartitionWaits.class).size() == 1);
            assertThat(audited(waiting).map(Told::status).orElse(0)).isNotEqualTo(201);
            assertThat(SubmitTopic.committedBehind(waiting))
                    .as("the offset moves after the commit, and not before")
                    .isLessThanOrEqualTo(0);
            other.rollback();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> audited(waiting).map(Told::status).orElse(0) == 201);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> count("ingest.task where external_id like 'wait-x%'") == 12);
        await().atMost(Duration.ofSeconds(30)).until(() -> SubmitTopic.committedBehind(waiting) > 0);
        assertThat(SubmitTopic.rejected().toString()).doesNotContain("wait-1");
    }

    @Test
    @Order(3)
    void the_whole_topic_read_again_from_the_beginning_changes_nothing() throws Exception {
        Faces.kafka().close();
        List<Long> before = state();
        long records = SubmitTopic.forgetOffsets();
        Faces.startKafka();
        MeterRegistry meters = Faces.kafka().bean(MeterRegistry.class);

        await().atMost(Duration.ofSeconds(90))
                .until(() -> meters.find("postonce.intake.lines").tag("face", "kafka").counters().stream()
                                .mapToDouble(counter -> counter.count())
                                .sum()
                        >= records);

        assertThat(meters.find("postonce.intake.lines")
                        .tag("outcome", "created")
                        .counter())
                .isNull();
        assertThat(state()).isEqualTo(before);
        assertThat(get(ALPHA, "/v1/tasks/k-task").at("status")).isEqualTo("active");
    }

    private static List<Long> state() {
        return List.of(
                count("ingest.task"),
                count("ingest.group_entry"),
                count("ingest.outbox_event"),
                count("ingest.target"),
                count("ingest.task_content"),
                count("ingest.idempotency_record"));
    }
}
