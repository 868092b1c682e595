package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.call;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.holdingKey;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.intake.Faces.audited;
import static dev.postonce.ingest.intake.Faces.is;
import static dev.postonce.ingest.intake.Faces.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.intake.Faces.Face;
import dev.postonce.ingest.intake.Faces.Sender;
import dev.postonce.ingest.intake.Faces.Told;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
 * The table of answers for groups, row by row and in its order, for a request and a record. A batch is of tasks. Rows
 * that only an update or a removal can meet are in {@link dev.postonce.ingest.GroupChangesIT}.
 */
class GroupFacesIT {

    private static final String ENTRY = "ingest.group_entry where tenant_id = 'alpha' and normalized_group_id = ?";

    @BeforeAll
    static void start() throws Exception {
        Faces.start();
    }

    @AfterAll
    static void end() {
        Faces.end();
    }

    private static ObjectNode group(Face face, String name) {
        return Intake.JSON
                .createObjectNode()
                .put("group_id", "@" + named(face, name))
                .put("name", "跨境电商交流群");
    }

    private static String named(Face face, String name) {
        return (name + "_" + face.name()).toLowerCase(java.util.Locale.ROOT);
    }

    private static Told submit(Face face, Object body) {
        return face.submit(Sender.ALPHA, SubmitType.GROUP_SUBMIT, body);
    }

    private static Told submit(Face face, Object body, String key) {
        return face.submit(Sender.ALPHA, SubmitType.GROUP_SUBMIT, body, key);
    }

    private static long entries(Face face, String name) {
        return count(ENTRY, "u:" + named(face, name));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void no_or_unknown_key(Face face) {
        is(face.submit(Sender.NOBODY, SubmitType.GROUP_SUBMIT, group(face, "gf_door")), 401, "unauthorized");
        assertThat(entries(face, "gf_door")).isZero();
    }

    @Test
    void key_without_the_scope_and_wrong_media_type() {
        ObjectNode body = group(Face.HTTP, "gf_scope");
        assertThat(post(READ_ONLY, "/v1/groups", body).at("error_code")).isEqualTo("forbidden");
        assertThat(post(ALPHA, "/v1/groups", body, "Content-Type", "text/plain").status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void body_over_the_limit(Face face) {
        is(submit(face, group(face, "gf_large").put("description", "x".repeat(1_100_000))), 413, "payload_too_large");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void malformed_or_missing_field_or_a_group_that_cannot_be_normalised(Face face) {
        is(submit(face, "{\"name\":\"no group\"}"), 400, "bad_payload");
        is(submit(face, group(face, "gf_malformed").put("nonsense", 1)), 400, "bad_payload");
        is(submit(face, "{\"group_id\":\"t.me/+8613800000000\"}"), 400, "bad_payload");
        is(submit(face, "{\"group_id\":"), 400, "bad_payload");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void same_idempotency_key_with_another_payload(Face face) {
        String key = face.id("gf-reused");
        is(submit(face, group(face, "gf_reused_a"), key), 201, "created");
        is(submit(face, group(face, "gf_reused_b"), key), 422, "idempotency_key_reused");
        is(submit(face, group(face, "gf_reused_a"), key), 200, "replay");
        assertThat(entries(face, "gf_reused_b")).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void same_idempotency_key_with_another_payload_waits_for_the_first(Face face) throws Exception {
        String key = face.id("gf-waits");
        submit(face, group(face, "gf_waits_a"), face.id("gf-waits-0"));
        try (Connection first = holdingKey(ref(face, "gf_waits_a"), face.id("gf-waits-0"), key)) {
            CompletableFuture<Told> second =
                    CompletableFuture.supplyAsync(() -> submit(face, group(face, "gf_waits_b"), key));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> count("pg_stat_activity where datname = current_database()"
                                    + " and wait_event_type = 'Lock'")
                            > 0);
            assertThat(second).isNotDone();
            first.commit();
            is(second.get(60, TimeUnit.SECONDS), 422, "idempotency_key_reused");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void the_first_is_still_running_past_the_wait(Face face) throws SQLException {
        String key = face.id("gf-running");
        submit(face, group(face, "gf_running"), face.id("gf-running-0"));
        try (Connection first = holdingKey(ref(face, "gf_running"), face.id("gf-running-0"), key)) {
            String body = group(face, "gf_running").toString();
            String request = face.send(Sender.ALPHA, SubmitType.GROUP_SUBMIT, body, key);
            if (face == Face.KAFKA) {
                awaitWaitingRecord();
                assertThat(audited(request)).as("a record waits unanswered").isEmpty();
            } else {
                is(told(request), 409, "request_in_progress");
            }
            first.rollback();
            is(face == Face.KAFKA ? told(request) : submit(face, body, key), 200, "replay");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void first_submission_and_again_in_any_spelling(Face face) {
        is(submit(face, group(face, "gf_first")), 201, "created");
        is(submit(face, group(face, "gf_first")), 200, "replay");
        String spelling = "https://telegram.me/" + named(face, "GF_First") + "/";
        is(submit(face, group(face, "gf_first").put("group_id", spelling)), 200, "replay");
        assertThat(entries(face, "gf_first")).isEqualTo(1);
        assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + ref(face, "gf_first")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void the_group_is_removed(Face face) {
        submit(face, group(face, "gf_removed"));
        call("DELETE", ALPHA, "/v1/groups/" + named(face, "gf_removed"), "");
        is(submit(face, group(face, "gf_removed").put("name", "x")), 200, "replay");
        assertThat(get(ALPHA, "/v1/groups/" + named(face, "gf_removed")).at("status"))
                .isEqualTo("removed");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void same_group_with_other_content(Face face) {
        submit(face, group(face, "gf_other"));
        is(submit(face, group(face, "gf_other").put("name", "anders")), 200, "replay");
        assertThat(get(ALPHA, "/v1/groups/" + named(face, "gf_other")).at("name"))
                .isEqualTo("跨境电商交流群");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void another_tenants_group_is_another_entry(Face face) {
        submit(face, group(face, "gf_tenant"));
        is(face.submit(Sender.BETA, SubmitType.GROUP_SUBMIT, group(face, "gf_tenant")), 201, "created");
        assertThat(entries(face, "gf_tenant")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BATCH")
    void storage_is_down_or_too_slow(Face face) throws SQLException {
        ObjectNode body = group(face, "gf_storage");
        String request = "";
        try (Connection other = Intake.database().asSuperuser().getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("lock table ingest.group_entry in access exclusive mode");
            if (face == Face.KAFKA) {
                request = face.send(Sender.ALPHA, SubmitType.GROUP_SUBMIT, body.toString(), face.id("gf-storage"));
                awaitWaitingRecord();
            } else {
                assertThat(post(Faces.kafka(), ALPHA, "/v1/groups", body).at("error_code"))
                        .isEqualTo("storage_failed");
            }
            other.rollback();
        }
        is(face == Face.KAFKA ? told(request) : submit(face, body), 201, "created");
    }

    @Test
    void one_key_is_one_submission_on_whichever_face_it_comes_again() {
        ObjectNode body = group(Face.HTTP, "gf_any");
        is(submit(Face.KAFKA, body, "gf-any-key"), 201, "created");
        is(submit(Face.HTTP, body, "gf-any-key"), 200, "replay");
        assertThat(count("ingest.idempotency_record where resource_ref = ?", ref(Face.HTTP, "gf_any")))
                .isEqualTo(1);
    }

    private static String ref(Face face, String name) {
        return "submit_index/u:" + named(face, name);
    }

    private static void awaitWaitingRecord() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Faces.kafka().bean(PartitionWaits.class).size() == 1);
    }
}
