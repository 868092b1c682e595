package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.INTAKE_KEY_ID;
import static dev.postonce.ingest.Intake.INTAKE_SECRET;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.intake.Faces.audited;
import static dev.postonce.ingest.intake.Faces.is;
import static dev.postonce.ingest.intake.Faces.told;
import static dev.postonce.ingest.intake.Faces.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitSignature;
import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.intake.Faces.Told;
import dev.postonce.runtime.Secret;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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
        told(topic().send(strange, "r-type", value, INTAKE_KEY_ID, SubmitSignature.of(INTAKE_SECRET, "r-type", strange, value)));

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
                .filter(problem -> problem.path("refused").path("ce_id").asString().equals(id))
                .map(problem -> problem.path("error_code").asString() + " "
                        + problem.path("refused").path("tenant_id").asString(""))
                .findFirst()
                .orElse("");
    }

    @Test
    @Order(1)
    void a_client_changes_from_one_secret_to_the_next() {
        IntakeSecrets secrets = Faces.kafka().bean(IntakeSecrets.class);
        String next = "pis_the-next-secret-of-this-client-0001";
        secrets.issue("alpha", "cms", "alpha-next", Secret.of(next));

        assertThatThrownBy(() -> secrets.issue("alpha", "cms", "alpha-third", Secret.of(next + "3")))
                .hasMessageContaining("2 active intake secrets");
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"))), 201, "created");
        is(told(topic().send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"), "alpha-next", next)), 200, "replay");
        assertThat(secrets.revoke("beta", "alpha-next")).isFalse();
        assertThat(secrets.revoke("alpha", "alpha-next")).isTrue();
        is(
                told(topic().send(SubmitType.TASK_SUBMIT, "rot-2", campaign("rot-2"), "alpha-next", next)),
                401,
                "unauthorized");
        assertThat(count("ingest.intake_secret where encode(ciphertext, 'escape') like '%the-next%'"))
                .isZero();
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
        await().atMost(Duration.ofSeconds(60))
                .until(() -> count("ingest.task where external_id like 'wait-x%'") == 12);
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

        assertThat(meters.find("postonce.intake.lines").tag("outcome", "created").counter())
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
