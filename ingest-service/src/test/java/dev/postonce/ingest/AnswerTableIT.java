package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.STRICT;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.holdingKey;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static dev.postonce.ingest.Intake.together;
import static dev.postonce.ingest.Intake.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of answers in docs/architecture.md, row by row and in its order, for tasks and articles. Storage that is
 * down or too slow is in {@link StorageFailureIT}; what a row leaves behind is in {@link SubmitTaskIT},
 * {@link UpdateTaskIT} and {@link WithdrawTaskIT}.
 */
class AnswerTableIT {

    private static final String TASKS = "/v1/tasks";

    @Test
    void no_or_unknown_key_is_401_and_a_key_without_the_scope_403() {
        for (Answer answer : List.of(
                post("", TASKS, campaign("t-door")),
                put("pk_test_none_0_0", TASKS + "/t-door", campaign("t-door"), "1"),
                withdraw("junk", "t-door"))) {
            is(answer, 401, "unauthorized");
        }
        is(post(READ_ONLY, TASKS, campaign("t-door")), 403, "forbidden");
        is(put(READ_ONLY, TASKS + "/t-door", campaign("t-door"), "1"), 403, "forbidden");
        is(withdraw(READ_ONLY, "t-door"), 403, "forbidden");
        is(post(READ_ONLY, TASKS + "/t-door/restore", "{}"), 403, "forbidden");
    }

    @Test
    void body_over_the_limit_is_413_with_the_limit_and_a_wrong_media_type_415() {
        ObjectNode large = campaign("t-large").put("content_html", "x".repeat(1_100_000));
        Answer answer = post(ALPHA, TASKS, large);
        is(answer, 413, "payload_too_large");
        assertThat(answer.body().path("limit_bytes").asLong()).isEqualTo(1_048_576);
        is(put(ALPHA, TASKS + "/t-large", large, "1"), 413, "payload_too_large");
        is(post(ALPHA, TASKS, campaign("t-large"), "Content-Type", "text/plain"), 415, "unsupported_media_type");
    }

    @Test
    void malformed_or_missing_field_is_400_with_one_pointer_per_field() {
        ObjectNode broken = campaign("a b").put("title", 7);
        broken.remove("target_platforms");
        Answer answer = post(ALPHA, TASKS, broken);
        is(answer, 400, "bad_payload");
        assertThat(answer.pointers()).containsExactlyInAnyOrder("/external_id", "/title", "/target_platforms");

        post(ALPHA, TASKS, campaign("t-malformed"));
        Answer update = put(ALPHA, TASKS + "/t-malformed", campaign("other").put("title", ""), "1");
        is(update, 400, "bad_payload");
        assertThat(update.pointers()).containsExactlyInAnyOrder("/external_id", "/title");
        for (String tag : new String[] {"*", "\"1\", \"2\"", "0", "\"x\"", "\"99999999999999999999\""}) {
            assertThat(put(ALPHA, TASKS + "/t-malformed", campaign("t-malformed"), tag)
                            .pointers())
                    .as(tag)
                    .containsExactly("header:If-Match");
        }
        assertThat(post(ALPHA, TASKS + "/t-malformed/withdraw", "{\"status\":\"gone\",\"public\":\"no\",\"x\":1}")
                        .pointers())
                .containsExactlyInAnyOrder("/x", "/reason", "/status", "/public");
        assertThat(post(ALPHA, TASKS, campaign("t-key"), "Idempotency-Key", "a b")
                        .pointers())
                .containsExactly("header:Idempotency-Key");
    }

    @Test
    void same_idempotency_key_with_another_body_path_or_if_match_is_422_idempotency_key_reused() {
        post(ALPHA, TASKS, campaign("t-reused-1"), "Idempotency-Key", "t-reused");
        is(post(ALPHA, TASKS, campaign("t-reused-2"), "Idempotency-Key", "t-reused"), 422, "idempotency_key_reused");
        assertThat(count("ingest.task where external_id = 't-reused-2'")).isZero();

        post(ALPHA, TASKS, campaign("t-reused-2"));
        ObjectNode edited = campaign("t-reused-1").put("title", "edited");
        Answer first = put(ALPHA, TASKS + "/t-reused-1", edited, "1", "Idempotency-Key", "t-reused");
        assertThat(first.status())
                .as("another route is another scope: " + first.text())
                .isEqualTo(200);
        is(
                put(ALPHA, TASKS + "/t-reused-1", edited, "2", "Idempotency-Key", "t-reused"),
                422,
                "idempotency_key_reused");
        edited.remove("external_id");
        is(
                put(ALPHA, TASKS + "/t-reused-2", edited, "1", "Idempotency-Key", "t-reused"),
                422,
                "idempotency_key_reused");
        assertThat(get(ALPHA, TASKS + "/t-reused-2").body().path("version").asLong())
                .isEqualTo(1);
    }

    @Test
    void same_idempotency_key_with_another_payload_waits_for_the_first() throws Exception {
        post(ALPHA, TASKS, campaign("t-waits-1"), "Idempotency-Key", "t-waits-0");
        try (Connection first = holdingKey("t-waits-1", "t-waits-0", "t-waits")) {
            CompletableFuture<Answer> second = CompletableFuture.supplyAsync(
                    () -> post(ALPHA, TASKS, campaign("t-waits-2"), "Idempotency-Key", "t-waits"));
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(AnswerTableIT::somebodyWaits);
            assertThat(second).isNotDone();
            first.commit();
            is(second.get(30, TimeUnit.SECONDS), 422, "idempotency_key_reused");
        }
    }

    @Test
    void the_first_is_still_running_past_the_wait_is_409_request_in_progress_with_a_link() throws SQLException {
        post(ALPHA, TASKS, campaign("t-running-1"), "Idempotency-Key", "t-running-0");
        try (Connection first = holdingKey("t-running-1", "t-running-0", "t-running")) {
            Answer answer = post(ALPHA, TASKS, campaign("t-running-1"), "Idempotency-Key", "t-running");
            is(answer, 409, "request_in_progress");
            assertThat(answer.body().path("retryable").asBoolean()).isTrue();
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.body().path("links").path("request").asString()).isEqualTo("/v1/requests/t-running");
            first.rollback();
        }
    }

    @Test
    void same_slug_with_other_content_language_or_translation_key_is_409_slug_conflict_naming_what_differs() {
        post(ALPHA, TASKS, article("t-slug", "en", "One text.").put("external_id", "t-slug-a"));
        Answer content = post(ALPHA, TASKS, article("t-slug", "en", "Two.").put("external_id", "t-slug-b"));
        is(content, 409, "slug_conflict");
        assertThat(content.strings("differs")).containsExactly("content_md");
        assertThat(content.at("conflicts_with")).isEqualTo("t-slug-a");
        assertThat(post(ALPHA, TASKS, article("t-slug", "zh", "One text.").put("external_id", "t-slug-b"))
                        .strings("differs"))
                .containsExactly("language");
        assertThat(post(
                                ALPHA,
                                TASKS,
                                article("t-slug", "en", "One text.")
                                        .put("external_id", "t-slug-b")
                                        .put("translation_key", "other"))
                        .strings("differs"))
                .containsExactly("translation_key");

        post(ALPHA, TASKS, article("t-slug-2", "en", "One text.").put("external_id", "t-slug-b"));
        Answer moved = put(ALPHA, TASKS + "/t-slug-b", article("t-slug", "en", "One text."), "1");
        is(moved, 409, "slug_conflict");
        assertThat(moved.strings("differs")).containsExactly("external_id");
        assertThat(count("ingest.task where slug = 't-slug' and tenant_id = 'alpha'"))
                .isEqualTo(1);
    }

    @Test
    void same_slug_and_all_equal_under_another_external_id_is_200_replay_of_the_existing_article() {
        Answer first = post(ALPHA, TASKS, article("t-equal", "en", "One text.").put("external_id", "t-equal-a"));
        Answer again = post(ALPHA, TASKS, article("t-equal", "en", "One text.").put("external_id", "t-equal-b"));
        isReplay(again, first);
        assertThat(again.at("external_id")).isEqualTo("t-equal-a");
    }

    @Test
    void first_submission_is_201_with_location_and_names_a_possible_duplicate() {
        Answer first = post(ALPHA, TASKS, campaign("t-first-1").put("content_html", "<p>t-first</p>"));
        Answer second = post(ALPHA, TASKS, campaign("t-first-2").put("content_html", "<p>t-first</p>"));
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Location")).isEqualTo("/v1/tasks/t-first-1");
        assertThat(first.body().path("idempotent_replay").asBoolean(true)).isFalse();
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.at("possible_duplicate_of")).isEqualTo("t-first-1");
        assertThat(post(ALPHA, TASKS, platforms(campaign("t-first-3").put("content_html", "<p>t-first</p>"), "ghost"))
                        .body()
                        .has("possible_duplicate_of"))
                .as("to another account")
                .isFalse();
    }

    @Test
    void a_tenant_can_choose_409_possible_duplicate_and_of_many_at_once_one_is_accepted() {
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "t-strict-" + i;
            work.add(() -> post(STRICT, TASKS, campaign(id).put("content_html", "<p>t-strict</p>")));
        }
        List<Answer> answers = together(work);
        List<Answer> created =
                answers.stream().filter(answer -> answer.status() == 201).toList();
        assertThat(created).hasSize(1);
        for (Answer answer : answers) {
            if (answer != created.get(0)) {
                is(answer, 409, "possible_duplicate");
                assertThat(answer.at("possible_duplicate_of"))
                        .isEqualTo(created.get(0).at("external_id"));
            }
        }
        String winner = created.get(0).at("external_id");
        isReplay(post(STRICT, TASKS, campaign(winner).put("content_html", "<p>t-strict</p>")), created.get(0));
        assertThat(count("ingest.task where external_id like 't-strict-%'")).isEqualTo(1);
        assertThat(post(STRICT, TASKS, platforms(campaign("t-strict-x").put("content_html", "<p>t-strict</p>"), "dev"))
                        .status())
                .as("to another account")
                .isEqualTo(201);
    }

    @Test
    void same_external_id_with_another_group_code_is_409_group_conflict() {
        post(ALPHA, TASKS, campaign("t-group"));
        is(post(ALPHA, TASKS, campaign("t-group").put("group_code", "brand_other")), 409, "group_conflict");
        Answer update = put(ALPHA, TASKS + "/t-group", campaign("t-group").put("group_code", "brand_other"), "1");
        is(update, 409, "group_conflict");
        assertThat(update.at("group_code")).isEqualTo("brand_official");
    }

    @Test
    void the_task_is_withdrawn_is_200_replay_with_that_state_and_a_link_and_only_restore_revives_it() {
        Answer first = post(ALPHA, TASKS, campaign("t-withdrawn"));
        withdraw(ALPHA, "t-withdrawn");
        for (Answer answer : List.of(
                post(ALPHA, TASKS, campaign("t-withdrawn")),
                post(ALPHA, TASKS, platforms(campaign("t-withdrawn"), "ghost")),
                post(ALPHA, TASKS, campaign("t-withdrawn").put("title", "x")),
                put(ALPHA, TASKS + "/t-withdrawn", campaign("t-withdrawn").put("title", "x"), "2"))) {
            isReplay(answer, first);
            assertThat(answer.at("status")).isEqualTo("archived");
            assertThat(answer.body().path("links").path("restore").asString())
                    .isEqualTo("/v1/tasks/t-withdrawn/restore");
            assertThat(answer.body().path("version").asLong()).isEqualTo(2);
        }
        Answer restored = post(ALPHA, TASKS + "/t-withdrawn/restore", "{}");
        assertThat(restored.status()).as(restored.text()).isEqualTo(200);
        assertThat(restored.at("status")).isEqualTo("active");
    }

    @Test
    void equal_to_what_is_or_was_accepted_with_same_or_fewer_platforms_is_200_replay_with_the_current_state() {
        Answer first = post(ALPHA, TASKS, campaign("t-replay"));
        isReplay(post(ALPHA, TASKS, campaign("t-replay")), first);
        put(ALPHA, TASKS + "/t-replay", campaign("t-replay").put("title", "edited"), "1");
        for (ObjectNode known : List.of(
                campaign("t-replay"),
                campaign("t-replay").put("title", "edited"),
                platforms(campaign("t-replay"), "zhihu"))) {
            Answer again = post(ALPHA, TASKS, known);
            isReplay(again, first);
            assertThat(again.body().path("version").asLong()).isEqualTo(2);
            assertThat(again.body().has("content_differs")).as(again.text()).isFalse();
        }
        assertThat(get(ALPHA, TASKS + "/t-replay").at("title")).isEqualTo("edited");
    }

    @Test
    void equal_content_and_new_platforms_is_200_and_only_these_are_added_with_the_current_content() {
        post(ALPHA, TASKS, platforms(campaign("t-added"), "toutiao"));
        put(ALPHA, TASKS + "/t-added", campaign("t-added").put("title", "edited"), "1");
        Answer answer = post(ALPHA, TASKS, platforms(campaign("t-added"), "zhihu", "webhook", "toutiao"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.strings("added_platforms")).containsExactly("webhook");
        assertThat(Intake.state("alpha:t-added", 3).title()).isEqualTo("edited");
    }

    @Test
    void same_external_id_with_other_content_is_200_with_content_differs_or_409_content_conflict_by_choice() {
        post(ALPHA, TASKS, campaign("t-differs"));
        Answer answer = post(ALPHA, TASKS, campaign("t-differs").put("title", "other"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.strings("content_differs")).containsExactly("title");
        assertThat(answer.body().path("links").path("update").asString()).isEqualTo("/v1/tasks/t-differs");

        post(STRICT, TASKS, campaign("t-differs"));
        Answer refused = post(STRICT, TASKS, campaign("t-differs").put("title", "other"));
        is(refused, 409, "content_conflict");
        assertThat(refused.strings("content_differs")).containsExactly("title");
        assertThat(refused.body().path("links").path("update").asString()).isEqualTo("/v1/tasks/t-differs");
        assertThat(get(STRICT, TASKS + "/t-differs").at("title")).isNotEqualTo("other");
    }

    @Test
    void stale_if_match_is_412_with_the_current_version_and_a_missing_one_428() {
        post(ALPHA, TASKS, campaign("t-match"));
        is(put(ALPHA, TASKS + "/t-match", campaign("t-match").put("title", "b"), ""), 428, "precondition_required");
        put(ALPHA, TASKS + "/t-match", campaign("t-match").put("title", "b"), "\"1\"");
        for (String stale : new String[] {"\"1\"", "\"3\"", "7"}) {
            Answer answer = put(ALPHA, TASKS + "/t-match", campaign("t-match").put("title", "c"), stale);
            is(answer, 412, "version_conflict");
            assertThat(answer.body().path("current_version").asLong()).isEqualTo(2);
        }
        is(withdraw(ALPHA, "t-match", "If-Match", "1"), 412, "version_conflict");
    }

    @Test
    void an_update_equal_to_the_current_content_with_the_preceding_version_is_a_replay() {
        Answer first = post(ALPHA, TASKS, campaign("t-again"));
        ObjectNode edited = campaign("t-again").put("title", "b");
        Answer updated = put(ALPHA, TASKS + "/t-again", edited, "1");
        assertThat(updated.body().path("idempotent_replay").asBoolean(true)).isFalse();
        isReplay(put(ALPHA, TASKS + "/t-again", edited, "1"), first);
        isReplay(put(ALPHA, TASKS + "/t-again", edited, "2"), first);
        assertThat(count("ingest.outbox_event where record_key = 'alpha:t-again'"))
                .isEqualTo(2);
    }

    @Test
    void unknown_resource_or_another_tenants_is_404_not_found() {
        post(ALPHA, TASKS, campaign("t-mine"));
        for (String id : new String[] {"t-mine", "t-none"}) {
            is(get(BETA, TASKS + "/" + id), 404, "not_found");
            is(put(BETA, TASKS + "/" + id, campaign(id), "1"), 404, "not_found");
            is(withdraw(BETA, id), 404, "not_found");
            is(post(BETA, TASKS + "/" + id + "/restore", "{}"), 404, "not_found");
            is(get(BETA, TASKS + "/" + id + "/audit"), 404, "not_found");
        }
        assertThat(get(ALPHA, TASKS + "/t-mine").at("status")).isEqualTo("active");
    }

    private static void is(Answer answer, int status, String errorCode) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.at("error_code")).isEqualTo(errorCode);
        assertThat(answer.body().path("ok").asBoolean(true)).isFalse();
    }

    private static void isReplay(Answer answer, Answer first) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("id")).isEqualTo(first.at("id"));
        assertThat(answer.body().path("idempotent_replay").asBoolean()).isTrue();
    }

    private static boolean somebodyWaits() {
        return count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") > 0;
    }
}
