package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.JSON;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.call;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.GroupState;
import dev.postonce.ingest.Intake.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Groups that are changed, removed and brought back: each row of the table that applies, by its name. */
class GroupChangesIT {

    private static ObjectNode group(String groupId) {
        return JSON.createObjectNode().put("group_id", groupId).put("name", "跨境电商交流群");
    }

    private static String submitted(String groupId) {
        Answer answer = post(ALPHA, "/v1/groups", group(groupId));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return "/v1/groups/" + answer.at("id");
    }

    private static Answer put(String path, ObjectNode body, String... headers) {
        return call("PUT", ALPHA, path, body, headers);
    }

    private static Answer delete(String path, String... headers) {
        return call("DELETE", ALPHA, path, "", headers);
    }

    private static Answer restore(String path, String... headers) {
        return call("POST", ALPHA, path + "/restore", "", headers);
    }

    private static long version(Answer answer) {
        return answer.body().path("version").asLong();
    }

    private static List<GroupState> events(String key) {
        return Intake.sql()
                .sql("select data from ingest.outbox_event where record_key = ? order by aggregate_version")
                .param("alpha:submit_index/" + key)
                .query(String.class)
                .list()
                .stream()
                .map(data -> EventJson.read(data, GroupState.class))
                .toList();
    }

    @Test
    void an_update_of_the_present_version_makes_the_next_one_with_its_event_and_audit() {
        String path = submitted("@put_group");

        Answer updated = put(path, group("t.me/Put_Group").put("name", "改名"), "If-Match", "\"1\"");

        assertThat(updated.status()).as(updated.text()).isEqualTo(200);
        assertThat(version(updated)).isEqualTo(2);
        assertThat(updated.header("ETag")).isEqualTo("\"2\"");
        assertThat(updated.at("name")).isEqualTo("改名");
        assertThat(updated.body().path("idempotent_replay").asBoolean(true)).isFalse();
        List<GroupState> events = events("u:put_group");
        assertThat(events).extracting(GroupState::version).containsExactly(1L, 2L);
        assertThat(events.get(1).contentDigest()).isEqualTo(Digests.ofState(events.get(1)));
        assertThat(count("ingest.audit where group_ref = 'submit_index/u:put_group' and outcome = 'updated'"))
                .isEqualTo(1);
        assertThat(get(ALPHA, path).at("name")).isEqualTo("改名");
    }

    @Test
    void stale_or_missing_if_match_on_an_update() {
        String path = submitted("@stale_group");
        put(path, group("@stale_group").put("name", "2"), "If-Match", "\"1\"");

        Answer stale = put(path, group("@stale_group").put("name", "3"), "If-Match", "\"1\"");
        Answer missing = put(path, group("@stale_group").put("name", "3"));

        assertThat(stale.status()).as(stale.text()).isEqualTo(412);
        assertThat(stale.at("error_code")).isEqualTo("version_conflict");
        assertThat(stale.body().path("current_version").asLong()).isEqualTo(2);
        assertThat(missing.status()).isEqualTo(428);
        assertThat(events("u:stale_group")).hasSize(2);
    }

    @Test
    void an_update_equal_to_the_current_content_with_the_preceding_version_is_a_replay() {
        String path = submitted("@lost_group");
        put(path, group("@lost_group").put("name", "neu"), "If-Match", "\"1\"");

        Answer again = put(path, group("@lost_group").put("name", "neu"), "If-Match", "\"1\"");

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(version(again)).isEqualTo(2);
        assertThat(events("u:lost_group")).hasSize(2);
    }

    @Test
    void removal_is_idempotent_and_nothing_is_deleted() {
        String path = submitted("@gone_group");

        Answer removed = delete(path);
        Answer again = delete("/v1/groups/t.me%2FGone_Group");

        assertThat(removed.status()).as(removed.text()).isEqualTo(200);
        assertThat(removed.at("status")).isEqualTo("removed");
        assertThat(version(removed)).isEqualTo(2);
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(version(again)).isEqualTo(2);
        assertThat(events("u:gone_group")).extracting(GroupState::deleted).containsExactly(false, true);
        assertThat(count("ingest.group_entry where normalized_group_id = 'u:gone_group' and deleted"))
                .isEqualTo(1);
        assertThat(count("ingest.audit where group_ref = 'submit_index/u:gone_group' and outcome = 'withdrawn'"))
                .isEqualTo(1);
    }

    @Test
    void the_group_is_removed_so_a_submission_and_an_update_answer_with_that_state_and_the_way_back() {
        String path = submitted("@removed_group");
        delete(path);

        Answer submitted = post(ALPHA, "/v1/groups", group("t.me/removed_group").put("name", "x"));
        Answer updated = put(path, group("@removed_group").put("name", "x"), "If-Match", "\"2\"");

        for (Answer answer : List.of(submitted, updated)) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.body().path("idempotent_replay").asBoolean()).isTrue();
            assertThat(answer.at("status")).isEqualTo("removed");
            assertThat(answer.strings("content_differs")).containsExactly("name");
            assertThat(answer.body().path("links").path("restore").asString()).isEqualTo(path + "/restore");
        }
        assertThat(events("u:removed_group")).hasSize(2);
    }

    @Test
    void a_group_that_is_brought_back_is_the_same_and_goes_on_with_its_version() {
        String path = submitted("@back_group");
        delete(path);

        Answer back = restore(path);
        Answer again = restore("/v1/groups/t.me/back_group");
        Answer updated = put(path, group("@back_group").put("name", "y"), "If-Match", "\"3\"");

        assertThat(back.status()).as(back.text()).isEqualTo(200);
        assertThat("/v1/groups/" + back.at("id")).isEqualTo(path);
        assertThat(back.at("status")).isEqualTo("active");
        assertThat(version(back)).isEqualTo(3);
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(version(updated)).isEqualTo(4);
        assertThat(events("u:back_group")).extracting(GroupState::deleted).containsExactly(false, true, false, false);
    }

    @Test
    void same_header_with_the_same_payload_is_a_replay_even_after_the_group_came_back() {
        String path = submitted("@keyed_group");
        delete(path, "Idempotency-Key", "remove-keyed");
        restore(path);

        Answer late = delete(path, "Idempotency-Key", "remove-keyed");
        Answer other = call("DELETE", ALPHA, path, "", "Idempotency-Key", "remove-keyed", "If-Match", "\"3\"");

        assertThat(late.status()).as(late.text()).isEqualTo(200);
        assertThat(late.at("status")).isEqualTo("active");
        assertThat(late.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(other.status()).isEqualTo(422);
        assertThat(events("u:keyed_group")).hasSize(3);
    }

    @Test
    void a_malformed_or_contradicting_field_is_a_bad_payload() {
        String path = submitted("@fields_group");

        assertThat(put(path, group("@another_group"), "If-Match", "\"1\"").pointers())
                .containsExactly("/group_id");
        assertThat(put(path, group("@fields_group").put("operation", "sync"), "If-Match", "\"1\"")
                        .pointers())
                .containsExactly("/operation");
        assertThat(put(path, group("@fields_group").put("nonsense", 1), "If-Match", "\"1\"")
                        .pointers())
                .containsExactly("/nonsense");
        assertThat(put(path, group("@fields_group"), "If-Match", "*").status()).isEqualTo(400);
        assertThat(delete("/v1/groups/t.me%2Fshare").status()).isEqualTo(400);
        assertThat(call("DELETE", ALPHA, path, "{\"reason\":\"x\"}").status()).isEqualTo(400);
    }

    @Test
    void an_unknown_group_and_one_of_another_tenant_are_not_found_and_a_key_needs_the_scope() {
        String path = submitted("@mine_group");

        for (String stranger : List.of(path, "/v1/groups/mine_group")) {
            assertThat(call("DELETE", BETA, stranger, "").status()).isEqualTo(404);
            assertThat(call("POST", BETA, stranger + "/restore", "").status()).isEqualTo(404);
            assertThat(call("PUT", BETA, stranger, group("@mine_group"), "If-Match", "\"1\"")
                            .status())
                    .isEqualTo(404);
        }
        assertThat(delete("/v1/groups/nobody_knows").status()).isEqualTo(404);
        assertThat(call("DELETE", READ_ONLY, path, "").status()).isEqualTo(403);
        assertThat(call("POST", ALPHA, path, "").status()).isEqualTo(404);
        assertThat(get(ALPHA, path).at("status")).isEqualTo("active");
    }

    @Test
    void changes_at_once_are_each_decided_against_one_version() {
        String path = submitted("@busy_group");
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String name = "name " + i;
            work.add(() -> put(path, group("@busy_group").put("name", name), "If-Match", "\"1\""));
        }

        List<Answer> answers = together(work);

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 412)).hasSize(23);
        assertThat(events("u:busy_group")).extracting(GroupState::version).containsExactly(1L, 2L);
    }

    @Test
    void the_bare_path_names_no_group() {
        Answer changed = put("/v1/groups", group("@bare_group"), "If-Match", "\"1\"");
        Answer removed = delete("/v1/groups");
        Answer restored = restore("/v1/groups");
        for (Answer answer : List.of(changed, removed, restored)) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(404);
        }
    }
}
