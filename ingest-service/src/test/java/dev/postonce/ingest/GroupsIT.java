package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.JSON;
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

class GroupsIT {

    private static ObjectNode group(String groupId) {
        return JSON.createObjectNode()
                .put("group_id", groupId)
                .put("name", "跨境电商交流群")
                .put("language", "zh");
    }

    @Test
    void the_first_spelling_is_created_and_every_other_spelling_is_its_replay() {
        Answer first = post(ALPHA, "/v1/groups", group("@Spell_Group"));
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.at("normalized_group_id")).isEqualTo("u:spell_group");
        assertThat(first.at("operation")).isEqualTo("submit_index");
        assertThat(first.header("Location")).isEqualTo("/v1/groups/" + first.at("id"));

        for (String spelling : new String[] {
            "spell_group", "https://t.me/Spell_Group/", "tg://resolve?domain=spell_group", "＠ｓｐｅｌｌ＿ｇｒｏｕｐ"
        }) {
            Answer again = post(ALPHA, "/v1/groups", group(spelling));
            assertThat(again.status()).as(spelling).isEqualTo(200);
            assertThat(again.at("id")).isEqualTo(first.at("id"));
            assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
            assertThat(again.body().propertyNames())
                    .containsExactlyElementsOf(first.body().propertyNames());
        }
        assertThat(count("ingest.group_entry where normalized_group_id = 'u:spell_group'"))
                .isEqualTo(1);
        GroupState state = EventJson.read(
                Intake.sql()
                        .sql("select data from ingest.outbox_event"
                                + " where record_key = 'alpha:submit_index/u:spell_group'")
                        .query(String.class)
                        .single(),
                GroupState.class);
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(state.id()).isEqualTo(first.at("id"));
        assertThat(count("ingest.audit where group_ref = 'submit_index/u:spell_group'"))
                .isEqualTo(5);
    }

    @Test
    void an_entry_is_read_by_its_resource_id_and_by_any_spelling() {
        Answer first = post(ALPHA, "/v1/groups", group("t.me/read_group"));

        for (String id : new String[] {
            first.at("id"),
            "read_group",
            "@Read_Group",
            "t.me%2FRead_Group",
            "https%3A%2F%2Ft.me%2Fread_group",
            "t.me/read_group",
        }) {
            Answer read = get(ALPHA, "/v1/groups/" + id);
            assertThat(read.status()).as(id + read.text()).isEqualTo(200);
            assertThat(read.at("id")).isEqualTo(first.at("id"));
            assertThat(get(BETA, "/v1/groups/" + id).status()).isEqualTo(404);
        }
        assertThat(get(ALPHA, "/v1/groups?group_id=tg%3A%2F%2Fresolve%3Fdomain%3Dread_group")
                        .at("id"))
                .isEqualTo(first.at("id"));
        assertThat(get(ALPHA, "/v1/groups/unknown_group").status()).isEqualTo(404);
        assertThat(get(ALPHA, "/v1/groups/t.me%2Fshare").status()).isEqualTo(400);
    }

    @Test
    void what_cannot_be_normalised_is_a_bad_payload_with_its_reason() {
        Answer answer = post(ALPHA, "/v1/groups", group("t.me/+8613800000000"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("detail")).contains("/group_id", "phone number");
        assertThat(post(ALPHA, "/v1/groups", group("x").put("operation", "Bad Op"))
                        .pointers())
                .contains("/group_id", "/operation");
    }

    @Test
    void invite_hashes_keep_their_case_and_operations_are_apart() {
        String upper = post(ALPHA, "/v1/groups", group("t.me/+AbCdEfGh")).at("id");
        String lower = post(ALPHA, "/v1/groups", group("t.me/+abcdefgh")).at("id");
        String other = post(ALPHA, "/v1/groups", group("t.me/+AbCdEfGh").put("operation", "sync"))
                .at("id");
        assertThat(List.of(upper, lower, other)).doesNotHaveDuplicates();
        assertThat(get(ALPHA, "/v1/groups/t.me%2Fjoinchat%2FAbCdEfGh?operation=sync")
                        .at("id"))
                .isEqualTo(other);
    }

    @Test
    void other_content_changes_nothing_and_is_named() {
        post(ALPHA, "/v1/groups", group("differs_group"));
        Answer answer = post(ALPHA, "/v1/groups", group("differs_group").put("name", "x"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.strings("content_differs")).containsExactly("name");
        assertThat(answer.at("name")).isEqualTo("跨境电商交流群");
    }

    @Test
    void a_header_stands_for_one_group() {
        Answer first = post(ALPHA, "/v1/groups", group("header_group"), "Idempotency-Key", "group-key");
        Answer same = post(ALPHA, "/v1/groups", group("header_group"), "Idempotency-Key", "group-key");
        Answer other = post(ALPHA, "/v1/groups", group("other_group"), "Idempotency-Key", "group-key");
        assertThat(same.at("id")).isEqualTo(first.at("id"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(count("ingest.group_entry where normalized_group_id = 'u:other_group'"))
                .isZero();
        assertThat(get(ALPHA, "/v1/requests/group-key")
                        .body()
                        .path("requests")
                        .get(0)
                        .path("location")
                        .asString())
                .isEqualTo("/v1/groups/" + first.at("id"));
    }

    @Test
    void many_spellings_at_once_are_one_entry() {
        String[] spellings = {"@race_group", "t.me/race_group", "RACE_GROUP", "https://telegram.me/race_group"};
        List<Callable<Answer>> work = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String spelling = spellings[i % spellings.length];
            work.add(() -> post(ALPHA, "/v1/groups", group(spelling)));
        }
        List<Answer> answers = together(work);
        assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(39);
        assertThat(answers.stream().map(answer -> answer.at("id")).distinct()).hasSize(1);
        assertThat(count("ingest.outbox_event where record_key = 'alpha:submit_index/u:race_group'"))
                .isEqualTo(1);
    }
}
