package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.STRICT;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.holdingKey;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.withdraw;
import static dev.postonce.ingest.intake.Faces.audited;
import static dev.postonce.ingest.intake.Faces.is;
import static dev.postonce.ingest.intake.Faces.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.batch.Batches;
import dev.postonce.ingest.batch.Batches.Answered;
import dev.postonce.ingest.intake.Faces.Face;
import dev.postonce.ingest.intake.Faces.Sender;
import dev.postonce.ingest.intake.Faces.Told;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One use case, three faces: the table of answers for tasks and articles, row by row and in its order, for a request, a
 * line of a batch and a record of the intake topic. What only a request or a record can ask for goes over these.
 */
class FacesIT {

    @BeforeAll
    static void start() throws Exception {
        Faces.start();
    }

    @AfterAll
    static void end() {
        Faces.end();
    }

    @ParameterizedTest
    @EnumSource
    void no_or_unknown_key(Face face) {
        is(face.submit(Sender.NOBODY, SubmitType.TASK_SUBMIT, campaign(face.id("f-door"))), 401, "unauthorized");
        assertThat(count("ingest.task where external_id = ?", face.id("f-door")))
                .isZero();
    }

    /** Whoever has an intake secret may submit; there is no record without the scope. */
    @Test
    void key_without_the_scope() {
        assertThat(post(READ_ONLY, "/v1/tasks", campaign("f-scope")).at("error_code"))
                .isEqualTo("forbidden");
        assertThat(Batches.raw(READ_ONLY, BodyPublishers.ofString(campaign("f-scope") + "\n"))
                        .at("error_code"))
                .isEqualTo("forbidden");
    }

    @ParameterizedTest
    @EnumSource
    void body_over_the_limit(Face face) {
        ObjectNode large = campaign(face.id("f-large")).put("content_html", "x".repeat(1_100_000));
        is(face.submit(large), 413, "payload_too_large");
    }

    /** A record says by ce_type what it is; another type is malformed. */
    @Test
    void wrong_media_type() {
        assertThat(post(ALPHA, "/v1/tasks", campaign("f-media"), "Content-Type", "text/plain")
                        .status())
                .isEqualTo(415);
        assertThat(Batches.raw(ALPHA, BodyPublishers.ofString("{}\n"), "Content-Type", "application/json")
                        .status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @EnumSource
    void malformed_or_missing_field(Face face) {
        is(face.submit(campaign("a b")), 400, "bad_payload");
        is(face.submit("{\"title\":"), 400, "bad_payload");
        is(face.submit("[]"), 400, "bad_payload");
    }

    @ParameterizedTest
    @EnumSource
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
    void same_idempotency_key_with_another_payload_waits_for_the_first(Face face) throws Exception {
        String key = face.id("f-waits");
        face.submit(campaign(face.id("f-waits-1")), face.id("f-waits-0"));
        try (Connection first = holdingKey(face.id("f-waits-1"), face.id("f-waits-0"), key)) {
            CompletableFuture<Told> second =
                    CompletableFuture.supplyAsync(() -> face.submit(campaign(face.id("f-waits-2")), key));
            await().atMost(Duration.ofSeconds(20)).until(FacesIT::somebodyWaits);
            assertThat(second).isNotDone();
            first.commit();
            is(second.get(60, TimeUnit.SECONDS), 422, "idempotency_key_reused");
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_first_is_still_running_past_the_wait(Face face) throws SQLException {
        String key = face.id("f-running");
        ObjectNode body = campaign(face.id("f-running-1"));
        face.submit(body, face.id("f-running-0"));
        try (Connection first = holdingKey(face.id("f-running-1"), face.id("f-running-0"), key)) {
            String request = face.send(Sender.ALPHA, SubmitType.TASK_SUBMIT, body.toString(), key);
            if (face == Face.KAFKA) {
                awaitWaitingRecord();
                assertThat(audited(request)).as("a record waits unanswered").isEmpty();
            } else {
                is(told(request), 409, "request_in_progress");
            }
            first.rollback();
            // A record is tried again by itself; a client tries again.
            is(face == Face.KAFKA ? told(request) : face.submit(body, key), 200, "replay");
        }
    }

    @ParameterizedTest
    @EnumSource
    void same_slug_with_other_content(Face face) {
        face.submit(article(face.id("f-slug"), "en", "One.").put("external_id", face.id("f-slug-1")));
        ObjectNode other = article(face.id("f-slug"), "en", "Two.").put("external_id", face.id("f-slug-2"));
        is(face.submit(other), 409, "slug_conflict");
        assertThat(count("ingest.task where slug = ?", face.id("f-slug"))).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void same_slug_and_all_equal_under_another_external_id(Face face) {
        face.submit(article(face.id("f-same"), "en", "One.").put("external_id", face.id("f-same-1")));
        Told told = face.submit(article(face.id("f-same"), "en", "One.").put("external_id", face.id("f-same-2")));
        is(told, 200, "replay");
        assertThat(told.externalId()).isEqualTo(face.id("f-same-1"));
    }

    @ParameterizedTest
    @EnumSource
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
    void same_content_to_the_same_account_under_another_external_id(Face face) {
        String text = "<p>" + face.id("f-twice") + "</p>";
        is(face.submit(campaign(face.id("f-twice-1")).put("content_html", text)), 201, "created");
        is(face.submit(campaign(face.id("f-twice-2")).put("content_html", text)), 201, "created");
        SubmitType task = SubmitType.TASK_SUBMIT;
        ObjectNode first = campaign(face.id("f-twice-1")).put("content_html", text);
        ObjectNode second = campaign(face.id("f-twice-2")).put("content_html", text);
        is(face.submit(Sender.STRICT, task, first), 201, "created");
        is(face.submit(Sender.STRICT, task, second), 409, "possible_duplicate");
    }

    @ParameterizedTest
    @EnumSource
    void same_external_id_with_another_group_code(Face face) {
        face.submit(campaign(face.id("f-group")));
        is(face.submit(campaign(face.id("f-group")).put("group_code", "other")), 409, "group_conflict");
    }

    @ParameterizedTest
    @EnumSource
    void the_task_is_withdrawn(Face face) {
        face.submit(campaign(face.id("f-withdrawn")));
        withdraw(ALPHA, face.id("f-withdrawn"));
        is(face.submit(platforms(campaign(face.id("f-withdrawn")), "wordpress")), 200, "replay");
        assertThat(get(ALPHA, "/v1/tasks/" + face.id("f-withdrawn")).at("status"))
                .isEqualTo("archived");
    }

    @ParameterizedTest
    @EnumSource
    void equal_content_and_same_or_fewer_platforms(Face face) {
        face.submit(campaign(face.id("f-fewer")));
        is(face.submit(platforms(campaign(face.id("f-fewer")), "zhihu")), 200, "replay");
        assertThat(count("ingest.target where external_id = ?", face.id("f-fewer")))
                .isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void equal_content_and_new_platforms(Face face) {
        face.submit(campaign(face.id("f-more")));
        is(face.submit(platforms(campaign(face.id("f-more")), "toutiao", "webhook")), 200, "updated");
        assertThat(count("ingest.target where external_id = ?", face.id("f-more")))
                .isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void same_external_id_with_other_content(Face face) {
        face.submit(campaign(face.id("f-other")));
        is(face.submit(campaign(face.id("f-other")).put("title", "anders")), 200, "replay");
        assertThat(get(ALPHA, "/v1/tasks/" + face.id("f-other")).at("title")).isEqualTo("11.11 主会场预热");
        SubmitType task = SubmitType.TASK_SUBMIT;
        face.submit(Sender.STRICT, task, campaign(face.id("f-other")));
        ObjectNode other = campaign(face.id("f-other")).put("title", "anders");
        is(face.submit(Sender.STRICT, task, other), 409, "content_conflict");
        assertThat(get(STRICT, "/v1/tasks/" + face.id("f-other")).at("title")).isEqualTo("11.11 主会场预热");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void stale_or_missing_if_match_on_an_update(Face face) {
        String id = face.id("f-match");
        face.submit(campaign(id));
        is(update(face, campaign(id).put("title", "b")), 428, "precondition_required");
        is(update(face, campaign(id).put("title", "b").put("if_match", 1)), 200, "updated");
        is(update(face, campaign(id).put("title", "c").put("if_match", 1)), 412, "version_conflict");
        is(update(face, campaign(id).put("title", "c").put("if_match", 7)), 412, "version_conflict");
        assertThat(get(ALPHA, "/v1/tasks/" + id).at("title")).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void an_update_equal_to_the_current_content_with_the_preceding_version(Face face) {
        String id = face.id("f-again");
        face.submit(campaign(id));
        is(update(face, campaign(id).put("title", "b").put("if_match", 1)), 200, "updated");
        is(update(face, campaign(id).put("title", "b").put("if_match", 1)), 200, "replay");
        assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + id))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void unknown_resource_or_another_tenants(Face face) {
        String id = face.id("f-mine");
        face.submit(campaign(id));
        for (String name : List.of(id, face.id("f-none"))) {
            ObjectNode update = campaign(name).put("title", "b").put("if_match", 1);
            is(face.submit(Sender.BETA, SubmitType.TASK_UPDATE, update), 404, "not_found");
            String withdrawal = "{\"external_id\":\"" + name + "\",\"status\":\"archived\",\"reason\":\"recalled\"}";
            is(face.submit(Sender.BETA, SubmitType.TASK_WITHDRAW, withdrawal), 404, "not_found");
        }
        assertThat(get(ALPHA, "/v1/tasks/" + id).body().path("version").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void storage_is_down_or_too_slow(Face face) throws SQLException {
        ObjectNode body = campaign(face.id("f-storage"));
        String request = "";
        try (Connection other = Intake.database().asSuperuser().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table ingest.task in access exclusive mode");
            switch (face) {
                case HTTP ->
                    assertThat(post(Faces.kafka(), ALPHA, "/v1/tasks", body).at("error_code"))
                            .isEqualTo("storage_failed");
                case BATCH -> {
                    Answered answered =
                            Batches.parse(Batches.raw(Faces.kafka(), ALPHA, BodyPublishers.ofString(body + "\n")));
                    assertThat(answered.statuses()).containsExactly(503);
                    assertThat(answered.summary().path("complete").asBoolean(true))
                            .isFalse();
                    assertThat(answered.summary().path("ended_by").asString()).isEqualTo("storage_away");
                }
                case KAFKA -> {
                    request = face.send(Sender.ALPHA, SubmitType.TASK_SUBMIT, body.toString(), face.id("f-storage"));
                    awaitWaitingRecord();
                }
            }
            other.rollback();
        }
        is(face == Face.KAFKA ? told(request) : face.submit(body), 201, "created");
    }

    @Test
    void one_key_is_one_submission_on_whichever_face_it_comes_again() {
        List<Told> told = new ArrayList<>();
        for (Face face : Face.values()) {
            told.add(face.submit(campaign("f-any"), "f-any-key"));
        }
        assertThat(told.stream().map(Told::outcome)).containsExactly("created", "replay", "replay");
        assertThat(count("ingest.idempotency_record where resource_ref = 'f-any'"))
                .isEqualTo(1);
    }

    private static Told update(Face face, ObjectNode body) {
        return face.submit(Sender.ALPHA, SubmitType.TASK_UPDATE, body);
    }

    private static void awaitWaitingRecord() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Faces.kafka().bean(PartitionWaits.class).size() == 1);
    }

    private static boolean somebodyWaits() {
        return count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") > 0;
    }
}
