package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Digests;
import dev.postonce.contract.TaskState;
import dev.postonce.ingest.Intake.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What an accepted update leaves: version, event, audit row, targets, raw content, all at once. */
class UpdateTaskIT {

    @Test
    void an_update_is_the_next_version_with_its_event_audit_row_targets_and_raw_content() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("update-1"));
        ObjectNode edited =
                campaign("update-1").put("title", "11.11 主会场").put("content_html", "<p>neu<script>x</script></p>");

        Answer answer = put(ALPHA, "/v1/tasks/update-1", platforms(edited, "zhihu", "webhook"), first.header("ETag"));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"2\"");
        assertThat(answer.body().propertyNames()).contains("id", "slug", "url", "status", "idempotent_replay");
        assertThat(answer.at("id")).isEqualTo(first.at("id"));
        assertThat(answer.strings("added_platforms")).containsExactly("webhook");
        assertThat(answer.platforms()).containsExactly("toutiao", "wechat_mp", "baijiahao", "zhihu", "webhook");
        answer.body().path("targets").forEach(target -> assertThat(
                        target.path("task_version").asLong())
                .isEqualTo(2));
        Answer read = get(ALPHA, "/v1/tasks/update-1");
        assertThat(read.at("title")).isEqualTo("11.11 主会场");
        assertThat(read.at("content_html")).isEqualTo("<p>neu</p>");
        assertThat(read.body().path("targets")).isEqualTo(answer.body().path("targets"));

        TaskState state = Intake.state("alpha:update-1", 2);
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(state.title()).isEqualTo("11.11 主会场");
        assertThat(state.articleDigest())
                .isNotEqualTo(Intake.state("alpha:update-1", 1).articleDigest());
        Map<String, Object> row = Intake.sql()
                .sql("select * from ingest.task where tenant_id = 'alpha' and external_id = 'update-1'")
                .query()
                .singleRow();
        assertThat(row.get("version")).isEqualTo(2L);
        assertThat(row.get("content_digest")).isEqualTo(state.contentDigest());
        assertThat(row.get("article_digest")).isEqualTo(state.articleDigest());
        assertThat(count("ingest.task_content where external_id = 'update-1' and raw_content like '%script%'"))
                .isEqualTo(1);
        Answer trail = get(ALPHA, "/v1/tasks/update-1/audit");
        assertThat(trail.body().path("entries").get(0).path("outcome").asString())
                .isEqualTo("updated");
        assertThat(trail.body().path("entries").get(0).path("detail").toString())
                .contains("\"changed\":[\"title\",\"content_html\"]", "webhook")
                .doesNotContain("主会场");
    }

    @Test
    void an_update_replaces_the_whole_article_keeps_id_and_group_and_takes_no_platform_away() {
        post(ALPHA, "/v1/tasks", campaign("update-2").put("callback_url", "https://cms.example.com/done"));
        ObjectNode body = Intake.JSON.createObjectNode().put("title", "short").put("content_md", "# neu");

        Answer answer = put(ALPHA, "/v1/tasks/update-2", body, "1");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        Answer read = get(ALPHA, "/v1/tasks/update-2");
        assertThat(read.at("group_code")).isEqualTo("brand_official");
        assertThat(read.platforms()).hasSize(4);
        assertThat(read.at("content_md")).isEqualTo("# neu");
        for (String gone : new String[] {"summary", "cover_url", "category", "callback_url"}) {
            assertThat(read.body().path(gone).isNull()).as(gone).isTrue();
        }
        assertThat(read.strings("tags")).isEmpty();
    }

    @Test
    void what_only_the_upstream_sees_can_be_changed_without_a_new_article() {
        post(ALPHA, "/v1/tasks", campaign("update-3"));
        put(ALPHA, "/v1/tasks/update-3", campaign("update-3").put("callback_url", "https://cms.example.com/b"), "1");

        assertThat(get(ALPHA, "/v1/tasks/update-3").at("callback_url")).isEqualTo("https://cms.example.com/b");
        assertThat(Intake.state("alpha:update-3", 2).articleDigest())
                .isEqualTo(Intake.state("alpha:update-3", 1).articleDigest());
    }

    @Test
    void an_article_can_move_to_a_free_slug_and_its_url_follows() {
        post(ALPHA, "/v1/tasks", article("update-4-a", "en", "Text.").put("external_id", "update-4"));

        Answer answer = put(ALPHA, "/v1/tasks/update-4", article("update-4-b", "en", "Text."), "1");

        assertThat(answer.at("url")).isEqualTo("https://blog.example.com/en/update-4-b");
        assertThat(post(ALPHA, "/v1/tasks", article("update-4-a", "en", "Other."))
                        .status())
                .isEqualTo(201);
        assertThat(get(ALPHA, "/v1/tasks?site=blog&slug=update-4-b")
                        .body()
                        .path("tasks")
                        .get(0)
                        .path("external_id")
                        .asString())
                .isEqualTo("update-4");
    }

    @Test
    void a_lost_answer_is_found_by_the_key_though_the_task_moved_on() {
        post(ALPHA, "/v1/tasks", campaign("update-5"));
        ObjectNode edited = campaign("update-5").put("title", "b");
        put(ALPHA, "/v1/tasks/update-5", edited, "1", "Idempotency-Key", "update-5-b");
        put(ALPHA, "/v1/tasks/update-5", campaign("update-5").put("title", "c"), "2");

        Answer again = put(ALPHA, "/v1/tasks/update-5", edited, "1", "Idempotency-Key", "update-5-b");

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(again.body().path("version").asLong()).isEqualTo(3);
        assertThat(get(ALPHA, "/v1/tasks/update-5").at("title")).isEqualTo("c");
        Answer lookedUp = get(ALPHA, "/v1/requests/update-5-b");
        assertThat(lookedUp.body().path("requests").get(0).path("route").asString())
                .isEqualTo("PUT /v1/tasks/{external_id}");
        assertThat(lookedUp.body().path("requests").get(0).path("outcome").asString())
                .isEqualTo("updated");
    }

    @Test
    void an_error_in_the_middle_leaves_the_old_version_whole() {
        post(ALPHA, "/v1/tasks", campaign("planted-update"));
        Intake.database()
                .execute(
                        """
                        create function public.refuse_update() returns trigger language plpgsql as
                          $$ begin raise exception 'planted'; end $$;
                        create trigger planted_update before insert on ingest.outbox_event for each row
                          when (new.record_key like 'alpha:planted-update%') execute function public.refuse_update();
                        grant usage on schema public to postonce_ingest
                        """);
        ObjectNode edited = platforms(campaign("planted-update").put("title", "b"), "ghost");
        try {
            assertThat(put(ALPHA, "/v1/tasks/planted-update", edited, "1", "Idempotency-Key", "planted-update")
                            .status())
                    .isEqualTo(500);
            assertThat(Intake.withdraw(ALPHA, "planted-update").status()).isEqualTo(500);
            assertThat(count("ingest.task where external_id = 'planted-update' and version = 1 and status = 'active'"))
                    .isEqualTo(1);
            assertThat(count("ingest.task_content where external_id = 'planted-update'"))
                    .isEqualTo(1);
            assertThat(count("ingest.target where external_id = 'planted-update' and task_version = 1"))
                    .isEqualTo(4);
            assertThat(count("ingest.idempotency_record where resource_ref = 'planted-update'"))
                    .isZero();
        } finally {
            Intake.database().execute("drop trigger planted_update on ingest.outbox_event");
        }
        assertThat(put(ALPHA, "/v1/tasks/planted-update", edited, "1", "Idempotency-Key", "planted-update")
                        .body()
                        .path("version")
                        .asLong())
                .isEqualTo(2);
    }
}
