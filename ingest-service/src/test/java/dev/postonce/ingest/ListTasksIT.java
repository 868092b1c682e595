package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ListTasksIT {

    @Test
    void a_list_is_walked_by_its_cursor_and_filtered() {
        for (int i = 0; i < 7; i++) {
            post(
                    BETA,
                    "/v1/tasks",
                    article("list-" + i, "en", "Text " + i).put("site", "lists").put("external_id", "list-" + i));
        }
        Intake.sql()
                .sql(
                        "update ingest.task set status='draft', deleted=true where tenant_id='beta' and external_id='list-3'")
                .update();
        Intake.sql()
                .sql(
                        "update ingest.target set state='published', platform_url='https://x.example/1', observed_at=now(),"
                                + " shown_task_version=1 where tenant_id='beta' and external_id='list-4' and platform='webhook'")
                .update();

        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = get(BETA, "/v1/tasks?site=lists&limit=3" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.body()
                    .path("tasks")
                    .forEach(task -> seen.add(task.path("external_id").asString()));
            cursor = page.at("next_cursor");
        } while (!cursor.isEmpty());

        assertThat(seen).containsExactly("list-6", "list-5", "list-4", "list-3", "list-2", "list-1", "list-0");
        assertThat(get(BETA, "/v1/tasks?status=draft&site=lists").body().path("tasks"))
                .hasSize(1);
        assertThat(get(BETA, "/v1/tasks?updated_since=2999-01-01T00:00:00Z")
                        .body()
                        .path("tasks"))
                .isEmpty();
        assertThat(get(BETA, "/v1/tasks?updated_before=2999-01-01T00:00:00%2B08:00&site=lists&limit=200")
                        .body()
                        .path("tasks"))
                .hasSize(7);
        JsonNode published =
                get(BETA, "/v1/tasks?target_state=published&site=lists").body().path("tasks");
        assertThat(published).hasSize(1);
        JsonNode target = published.get(0).path("targets").get(1);
        assertThat(target.path("platform_url").asString()).isEqualTo("https://x.example/1");
        assertThat(target.path("observed_at").asString()).endsWith("Z");
    }

    @Test
    void wrong_parameters_are_named() {
        for (String query : new String[] {
            "limit=0",
            "limit=201",
            "limit=x",
            "cursor=x",
            "status=gone",
            "updated_since=x",
            "site=A%20b",
            "api_key=x",
            "status=active&status=draft"
        }) {
            Answer answer = get(BETA, "/v1/tasks?" + query);
            assertThat(answer.status()).as(query).isEqualTo(400);
            assertThat(answer.pointers()).hasSize(1);
        }
    }
}
