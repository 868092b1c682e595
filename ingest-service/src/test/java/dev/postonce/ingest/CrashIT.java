package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static dev.postonce.ingest.Intake.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** An instance dies between two steps; another one answers the next try. */
@Tag("parts")
class CrashIT {

    @Test
    void a_process_that_dies_between_two_steps_leaves_all_or_nothing_and_the_next_try_tells_which() throws Exception {
        post(ALPHA, "/v1/tasks", platforms(campaign("crash-extend"), "toutiao"));
        post(ALPHA, "/v1/tasks", campaign("crash-update"));
        post(ALPHA, "/v1/tasks", campaign("crash-withdraw"));
        ObjectNode edited = campaign("crash-update").put("title", "edited");
        try (Doomed early = new Doomed("ingest.after-validate-before-tx");
                Doomed late = new Doomed("ingest.after-commit-before-response", "2*throw(lost)->halt(137)");
                Doomed inside = new Doomed("ingest.after-outbox-before-commit")) {

            early.diesOf(campaign("crash-early"));
            late.loses(late.update("crash-update", edited));
            late.loses(late.withdraw("crash-withdraw"));
            late.diesOf(campaign("crash-late"));
            inside.diesOf(platforms(campaign("crash-extend"), "toutiao", "webhook"));
        }

        assertThat(count("ingest.task where external_id = 'crash-early'")).isZero();
        assertThat(count("ingest.idempotency_record where resource_ref = 'crash-early'"))
                .isZero();
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-late'"))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id = 'crash-extend'")).isEqualTo(1);
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-extend'"))
                .isEqualTo(1);

        Answer update = put(ALPHA, "/v1/tasks/crash-update", edited, "1", "Idempotency-Key", "key-crash-update");
        Answer withdrawal = withdraw(ALPHA, "crash-withdraw", "Idempotency-Key", "key-crash-withdraw");
        for (Answer repeated : List.of(update, withdrawal)) {
            assertThat(repeated.status()).as(repeated.text()).isEqualTo(200);
            assertThat(repeated.body().path("idempotent_replay").asBoolean()).isTrue();
            assertThat(repeated.body().path("version").asLong()).isEqualTo(2);
            assertThat(count("ingest.outbox_event where record_key = ?", "alpha:" + repeated.at("external_id")))
                    .isEqualTo(2);
        }

        Answer early = again(campaign("crash-early"));
        Answer late = again(campaign("crash-late"));
        Answer inside = again(platforms(campaign("crash-extend"), "toutiao", "webhook"));
        assertThat(early.status()).as(early.text()).isEqualTo(201);
        assertThat(late.status()).as(late.text()).isEqualTo(200);
        assertThat(late.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(inside.strings("added_platforms")).containsExactly("webhook");
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-late'"))
                .isEqualTo(1);
    }

    private static Answer again(ObjectNode body) {
        return post(
                ALPHA,
                "/v1/tasks",
                body,
                "Idempotency-Key",
                "key-" + body.path("external_id").asString());
    }
}
