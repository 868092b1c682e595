package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.TestIngest;
import dev.postonce.ingest.batch.Batches;
import dev.postonce.runtime.Secret;
import dev.postonce.testinfra.TestInfra;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One use case, three faces: the table of answers, row by row, for a request, a line of a batch and a record of the
 * intake topic; then what is the topic's own.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FacesIT {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static SubmitTopic topic;
    private static TestIngest kafkaFace;

    @BeforeAll
    static void start() throws Exception {
        Intake.service();
        SubmitTopic.create();
        topic = new SubmitTopic();
        kafkaFace = startKafkaFace();
    }

    private static TestIngest startKafkaFace() {
        return Intake.start(
                Map.of("POSTONCE_KAFKA_BOOTSTRAP", TestInfra.kafkaBootstrap(), "POSTONCE_CLAIM_WAIT_MS", "500"));
    }

    @AfterAll
    static void end() {
        kafkaFace.close();
        topic.close();
    }

    /** What the audit says of a submission: the same for each face. */
    private record Told(int status, String error, String outcome, String externalId) {}

    private enum Face {
        HTTP {
            @Override
            String send(String credential, String body, String key) {
                String request = "http-" + NUMBER.incrementAndGet();
                post(credential, "/v1/tasks", body, "Idempotency-Key", key, "X-Request-Id", request);
                return request;
            }
        },
        BATCH {
            @Override
            String send(String credential, String body, String key) {
                String request = "batch-" + NUMBER.incrementAndGet();
                // A wrong key is refused before the first line.
                String line = body.startsWith("{\"") ? "{\"idempotency_key\":\"" + key + "\"," + body.substring(1) : body;
                int status = Batches.raw(
                                credential, BodyPublishers.ofString(line + "\n"), "X-Request-Id", request)
                        .status();
                return status == 200 ? request + ":1" : request;
            }
        },
        KAFKA {
            @Override
            String send(String credential, String body, String key) {
                String secret = credential.equals(ALPHA) ? Intake.INTAKE_SECRET : "another secret";
                return topic.send(SubmitType.TASK_SUBMIT, key, body, Intake.INTAKE_KEY_ID, secret);
            }
        };

        /** The request id under which its audit row stands. */
        abstract String send(String credential, String body, String key);

        Told submit(Object body) {
            return submit(ALPHA, body, "faces-key-" + NUMBER.incrementAndGet());
        }

        Told submit(Object body, String key) {
            return submit(ALPHA, body, key);
        }

        Told submit(String credential, Object body, String key) {
            return told(send(credential, body.toString(), key));
        }

        String id(String row) {
            return row + "-" + name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private static Told told(String requestId) {
        return await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> audited(requestId), Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<Told> audited(String requestId) {
        return Intake.sql()
                .sql("select status_code, coalesce(error_code, '') as error_code, outcome,"
                        + " coalesce(external_id, '') as external_id"
                        + " from ingest.audit where request_id = ? order by id desc limit 1")
                .param(requestId)
                .query((row, number) -> new Told(
                        row.getInt("status_code"),
                        row.getString("error_code"),
                        row.getString("outcome"),
                        row.getString("external_id")))
                .optional();
    }

    private static void is(Told told, int status, String errorOrOutcome) {
        assertThat(told.status()).as(told.toString()).isEqualTo(status);
        assertThat(status < 300 ? told.outcome() : told.error()).isEqualTo(errorOrOutcome);
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void no_or_unknown_key(Face face) {
        is(face.submit("pk_test_none_0_0", campaign(face.id("f-door")), face.id("f-door")), 401, "unauthorized");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void body_over_the_limit(Face face) {
        ObjectNode large = campaign(face.id("f-large")).put("content_html", "x".repeat(1_100_000));
        is(face.submit(large), 413, "payload_too_large");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void malformed_or_missing_field(Face face) {
        is(face.submit(campaign("a b")), 400, "bad_payload");
        is(face.submit("{\"title\":"), 400, "bad_payload");
        is(face.submit("[]"), 400, "bad_payload");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void same_idempotency_key_with_another_payload(Face face) {
        String key = face.id("f-reused");
        is(face.submit(campaign(face.id("f-reused-1")), key), 201, "created");
        is(face.submit(campaign(face.id("f-reused-2")), key), 422, "idempotency_key_reused");
        is(face.submit(campaign(face.id("f-reused-1")), key), 200, "replay");
        assertThat(count("ingest.task where external_id = ?", face.id("f-reused-2")))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void same_slug_with_other_content(Face face) {
        face.submit(article(face.id("f-slug"), "en", "One.").put("external_id", face.id("f-slug-1")));
        is(
                face.submit(article(face.id("f-slug"), "en", "Two.").put("external_id", face.id("f-slug-2"))),
                409,
                "slug_conflict");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void same_slug_and_all_equal_under_another_external_id(Face face) {
        face.submit(article(face.id("f-same"), "en", "One.").put("external_id", face.id("f-same-1")));
        Told told = face.submit(article(face.id("f-same"), "en", "One.").put("external_id", face.id("f-same-2")));
        is(told, 200, "replay");
        assertThat(told.externalId()).isEqualTo(face.id("f-same-1"));
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void first_submission_and_again(Face face) {
        String id = face.id("f-first");
        is(face.submit(campaign(id)), 201, "created");
        is(face.submit(campaign(id)), 200, "replay");
        assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + id))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id = ?", id)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void same_external_id_with_another_group_code(Face face) {
        face.submit(campaign(face.id("f-group")));
        is(face.submit(campaign(face.id("f-group")).put("group_code", "other")), 409, "group_conflict");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void the_task_is_withdrawn(Face face) {
        face.submit(campaign(face.id("f-withdrawn")));
        withdraw(ALPHA, face.id("f-withdrawn"));
        is(face.submit(platforms(campaign(face.id("f-withdrawn")), "wordpress")), 200, "replay");
        assertThat(get(ALPHA, "/v1/tasks/" + face.id("f-withdrawn")).at("status"))
                .isEqualTo("archived");
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void equal_content_and_new_platforms(Face face) {
        face.submit(campaign(face.id("f-more")));
        is(face.submit(platforms(campaign(face.id("f-more")), "toutiao", "webhook")), 200, "updated");
        assertThat(count("ingest.target where external_id = ?", face.id("f-more")))
                .isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    @Order(1)
    void same_external_id_with_other_content(Face face) {
        face.submit(campaign(face.id("f-other")));
        is(face.submit(campaign(face.id("f-other")).put("title", "anders")), 200, "replay");
        assertThat(get(ALPHA, "/v1/tasks/" + face.id("f-other")).at("title")).isEqualTo("11.11 主会场预热");
    }

    @Test
    @Order(1)
    void one_key_is_one_submission_on_whichever_face_it_comes_again() {
        List<Told> told = new ArrayList<>();
        for (Face face : Face.values()) {
            told.add(face.submit(campaign("f-any"), "f-any-key"));
        }
        assertThat(told.stream().map(Told::outcome)).containsExactly("created", "replay", "replay");
        assertThat(count("ingest.idempotency_record where resource_ref = 'f-any'"))
                .isEqualTo(1);
    }

    @Test
    @Order(2)
    void records_update_withdraw_and_submit_groups() {
        is(told(topic.send(SubmitType.TASK_SUBMIT, "k-1", campaign("k-task"))), 201, "created");
        ObjectNode update = campaign("k-task").put("title", "neu").put("if_match", 1);
        is(told(topic.send(SubmitType.TASK_UPDATE, "k-2", update)), 200, "updated");
        is(told(topic.send(SubmitType.TASK_UPDATE, "k-3", update.put("title", "x"))), 412, "version_conflict");
        is(told(topic.send(SubmitType.TASK_UPDATE, "k-4", campaign("k-task"))), 428, "precondition_required");
        String withdrawal = "{\"external_id\":\"k-task\",\"status\":\"archived\",\"reason\":\"recalled\"}";
        is(told(topic.send(SubmitType.TASK_WITHDRAW, "k-5", withdrawal)), 200, "withdrawn");
        is(told(topic.send(SubmitType.TASK_WITHDRAW, "k-6", "{}")), 400, "bad_payload");
        is(told(topic.send(SubmitType.GROUP_SUBMIT, "k-7", "{\"group_id\":\"@kafka_group\"}")), 201, "created");
        is(told(topic.send(SubmitType.GROUP_SUBMIT, "k-8", "{\"group_id\":\"t.me/Kafka_Group\"}")), 200, "replay");
        post(ALPHA, "/v1/tasks/k-task/restore", "{}");
        assertThat(get(ALPHA, "/v1/tasks/k-task").at("title")).isEqualTo("neu");
    }

    @Test
    @Order(2)
    void what_is_refused_for_good_is_on_the_rejected_topic_with_its_problem() {
        told(topic.send(SubmitType.TASK_SUBMIT, "r-bad", campaign("a b")));
        byte[] value = campaign("r-forged").toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        String signature = dev.postonce.contract.SubmitSignature.of(
                Intake.INTAKE_SECRET, "r-forged", SubmitType.TASK_SUBMIT.ceType(), value);
        told(topic.send(SubmitType.TASK_WITHDRAW.ceType(), "r-forged", value, Intake.INTAKE_KEY_ID, signature));
        told(topic.send(SubmitType.TASK_SUBMIT, "r-unknown", campaign("r-unknown"), "nobody", "x"));

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            List<JsonNode> rejected = SubmitTopic.rejected();
            assertThat(codeOf(rejected, "r-bad")).isEqualTo("bad_payload alpha");
            assertThat(codeOf(rejected, "r-forged")).isEqualTo("unauthorized ");
            assertThat(codeOf(rejected, "r-unknown")).isEqualTo("unauthorized ");
        });
        assertThat(SubmitTopic.rejected().toString()).doesNotContain(Intake.INTAKE_SECRET);
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
    @Order(2)
    void a_client_changes_from_one_secret_to_the_next() {
        IntakeSecrets secrets = kafkaFace.bean(IntakeSecrets.class);
        String next = "pis_the-next-secret-of-this-client-0001";
        secrets.issue("alpha", "cms", "alpha-next", Secret.of(next));

        assertThatThrownBy(() -> secrets.issue("alpha", "cms", "alpha-third", Secret.of(next + "3")))
                .hasMessageContaining("2 active intake secrets");
        is(told(topic.send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"))), 201, "created");
        is(told(topic.send(SubmitType.TASK_SUBMIT, "rot-1", campaign("rot-1"), "alpha-next", next)), 200, "replay");
        assertThat(secrets.revoke("beta", "alpha-next")).isFalse();
        assertThat(secrets.revoke("alpha", "alpha-next")).isTrue();
        is(
                told(topic.send(SubmitType.TASK_SUBMIT, "rot-2", campaign("rot-2"), "alpha-next", next)),
                401,
                "unauthorized");
        assertThat(count("ingest.intake_secret where encode(ciphertext, 'escape') like '%the-next%'"))
                .isZero();
    }

    @Test
    @Order(2)
    void what_may_be_tried_again_waits_and_the_other_partitions_go_on() throws Exception {
        post(ALPHA, "/v1/tasks", campaign("wait-0"));
        try (Connection other = Intake.database().asSuperuser().getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("insert into ingest.task select (jsonb_populate_record(t,"
                    + " jsonb_build_object('external_id', 'wait-1', 'task_id', gen_random_uuid()))).*"
                    + " from ingest.task t where external_id = 'wait-0'");
            String waiting = topic.send(SubmitType.TASK_SUBMIT, "wait-1", campaign("wait-1"));
            // Its partition tells its record apart; some of these stand in others.
            int elsewhere = 0;
            for (int i = 0; i < 12; i++) {
                String one = topic.send(SubmitType.TASK_SUBMIT, "wait-x" + i, campaign("wait-x" + i));
                if (!one.split(":")[1].equals(waiting.split(":")[1])) {
                    is(told(one), 201, "created");
                    elsewhere++;
                }
            }
            assertThat(elsewhere).isPositive();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> kafkaFace.bean(PartitionWaits.class).size() == 1);
            assertThat(audited(waiting).map(Told::status).orElse(0)).isNotEqualTo(201);
            other.rollback();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> audited(waiting).map(Told::status).orElse(0) == 201);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> count("ingest.task where external_id like 'wait-x%'") == 12);
        assertThat(SubmitTopic.rejected().toString()).doesNotContain("wait-1");
    }

    @Test
    @Order(3)
    void the_whole_topic_read_again_from_the_beginning_changes_nothing() throws Exception {
        kafkaFace.close();
        List<Long> before = state();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()))) {
            admin.deleteConsumerGroups(List.of(IntakeConfiguration.GROUP)).all().get(30, TimeUnit.SECONDS);
        }
        kafkaFace = startKafkaFace();
        MeterRegistry meters = kafkaFace.bean(MeterRegistry.class);

        await().atMost(Duration.ofSeconds(90))
                .until(() -> meters.find("postonce.intake.lines").tag("face", "kafka").counters().stream()
                                .mapToDouble(counter -> counter.count())
                                .sum()
                        >= topic.sent());

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
