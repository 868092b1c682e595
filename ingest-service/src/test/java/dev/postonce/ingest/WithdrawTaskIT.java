package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Digests;
import dev.postonce.contract.TaskState;
import dev.postonce.ingest.Intake.Answer;
import org.junit.jupiter.api.Test;

/** Taking back and reviving: status, who, why, an event; and nothing is deleted. */
class WithdrawTaskIT {

    private static Answer withdrawTo(String id, String status, String posts, String... headers) {
        return post(
                ALPHA,
                "/v1/tasks/" + id + "/withdraw",
                "{\"status\":\"%s\",\"reason\":\"价格有误\",\"public\":\"%s\"}".formatted(status, posts),
                headers);
    }

    @Test
    void a_withdrawal_keeps_status_who_why_and_tells_it_in_an_event() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("withdraw-1"));

        Answer answer = withdrawTo("withdraw-1", "draft", "keep");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("id")).isEqualTo(first.at("id"));
        assertThat(answer.at("status")).isEqualTo("draft");
        assertThat(answer.body().path("version").asLong()).isEqualTo(2);
        assertThat(answer.body().path("withdrawal").path("reason").asString()).isEqualTo("价格有误");
        assertThat(answer.body().path("withdrawal").path("by").asString()).isEqualTo("cms");
        assertThat(answer.body().path("withdrawal").path("public").asString()).isEqualTo("keep");
        assertThat(get(ALPHA, "/v1/tasks/withdraw-1").body().path("withdrawal"))
                .isEqualTo(answer.body().path("withdrawal"));
        TaskState state = Intake.state("alpha:withdraw-1", 2);
        assertThat(state.deleted()).isTrue();
        assertThat(state.status()).isEqualTo("draft");
        assertThat(state.withdrawnPublic()).isEqualTo("keep");
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(state.contentHtml())
                .isEqualTo(Intake.state("alpha:withdraw-1", 1).contentHtml());
        assertThat(count("ingest.target where external_id = 'withdraw-1' and task_version = 2"))
                .isEqualTo(4);
        var entry =
                get(ALPHA, "/v1/tasks/withdraw-1/audit").body().path("entries").get(0);
        assertThat(entry.path("outcome").asString()).isEqualTo("withdrawn");
        assertThat(entry.path("client_id").asString()).isEqualTo("cms");
        assertThat(entry.path("detail").path("reason").asString()).isEqualTo("价格有误");
    }

    @Test
    void a_second_withdrawal_is_a_replay_and_another_status_or_way_is_a_change() {
        post(ALPHA, "/v1/tasks", campaign("withdraw-2"));
        withdrawTo("withdraw-2", "draft", "keep");

        Answer again = withdrawTo("withdraw-2", "draft", "keep");
        Answer late = withdrawTo("withdraw-2", "draft", "keep", "If-Match", "\"1\"");
        Answer gone = withdrawTo("withdraw-2", "draft", "gone");
        Answer archived = withdrawTo("withdraw-2", "archived", "gone");

        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(late.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(gone.body().path("version").asLong()).isEqualTo(3);
        assertThat(archived.body().path("version").asLong()).isEqualTo(4);
        assertThat(Intake.state("alpha:withdraw-2", 4).status()).isEqualTo("archived");
        assertThat(count("ingest.outbox_event where record_key = 'alpha:withdraw-2'"))
                .isEqualTo(4);
    }

    @Test
    void restoring_goes_on_with_the_version_and_an_older_withdrawal_never_comes_back() {
        post(ALPHA, "/v1/tasks", campaign("withdraw-3"));
        withdraw(ALPHA, "withdraw-3", "Idempotency-Key", "withdraw-3", "If-Match", "1");

        Answer restored = post(
                ALPHA, "/v1/tasks/withdraw-3/restore", "{\"reason\":\"corrected\"}", "Idempotency-Key", "restore-3");
        Answer again = post(ALPHA, "/v1/tasks/withdraw-3/restore", "");

        assertThat(restored.status()).as(restored.text()).isEqualTo(200);
        assertThat(restored.at("status")).isEqualTo("active");
        assertThat(restored.body().path("version").asLong()).isEqualTo(3);
        assertThat(restored.body().has("withdrawal")).isFalse();
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        TaskState state = Intake.state("alpha:withdraw-3", 3);
        assertThat(state.deleted()).isFalse();
        assertThat(state.withdrawnPublic()).isNull();
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));

        Answer byKey = withdraw(ALPHA, "withdraw-3", "Idempotency-Key", "withdraw-3", "If-Match", "1");
        Answer byVersion = withdraw(ALPHA, "withdraw-3", "If-Match", "1");
        assertThat(byKey.status()).isEqualTo(200);
        assertThat(byKey.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(byKey.at("status")).isEqualTo("active");
        assertThat(byVersion.status()).isEqualTo(412);
        assertThat(get(ALPHA, "/v1/tasks/withdraw-3").at("status")).isEqualTo("active");
        assertThat(get(ALPHA, "/v1/tasks/withdraw-3").body().path("version").asLong())
                .isEqualTo(3);
        assertThat(count("ingest.audit where external_id = 'withdraw-3' and detail like '%corrected%'"))
                .isEqualTo(1);
    }

    @Test
    void nothing_is_deleted() {
        post(ALPHA, "/v1/tasks", campaign("withdraw-4"));
        withdraw(ALPHA, "withdraw-4");

        assertThat(get(ALPHA, "/v1/tasks/withdraw-4").at("title")).isEqualTo("11.11 主会场预热");
        assertThat(count("ingest.task_content where external_id = 'withdraw-4'"))
                .isEqualTo(1);
        assertThat(get(ALPHA, "/v1/tasks?status=archived&limit=200").text()).contains("\"withdraw-4\"");
    }
}
