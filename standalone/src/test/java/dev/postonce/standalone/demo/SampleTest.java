package dev.postonce.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.submit.LineForm;
import dev.postonce.standalone.submit.LineSource;
import dev.postonce.standalone.submit.Submission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SampleTest {

    private final Sample sample = new Sample();

    @Test
    void every_line_is_something_that_the_api_knows() {
        List<Submission> submissions = read();
        assertThat(submissions).hasSize(sample.articles() + sample.groupSpellings());
        assertThat(submissions.stream().filter(one -> one.kind() == Submission.Kind.GROUP))
                .hasSize(20);
    }

    @Test
    void there_are_pairs_in_chinese_and_english_and_the_body_of_a_campaign_desk() {
        assertThat(sample.articles()).isGreaterThanOrEqualTo(20);
        assertThat(sample.articlesIn("zh")).isEqualTo(sample.articlesIn("en")).isGreaterThanOrEqualTo(10);
        JsonNode promo = tasks().stream()
                .filter(task -> task.path("external_id").asString("").equals("mall_promo_1111_kv_v2"))
                .findFirst()
                .orElseThrow();
        assertThat(promo.path("group_code").asString()).isEqualTo("brand_official");
        assertThat(promo.path("title").asString()).contains("主会场预热");
        assertThat(promo.path("tags").toString()).contains("双11").contains("促销");
    }

    @Test
    void each_task_goes_to_both_platforms_and_calls_back() {
        assertThat(tasks()).allSatisfy(task -> {
            assertThat(task.path("target_platforms").toString()).isEqualTo("[\"wordpress\",\"webhook\"]");
            assertThat(task.path("callback_url").asString()).isEqualTo("http://127.0.0.1:1/callbacks/demo");
            assertThat(task.path("group_code").asString()).isEqualTo("brand_official");
        });
    }

    @Test
    void slugs_and_ids_are_its_own() {
        Set<String> seen = new HashSet<>();
        for (JsonNode task : tasks()) {
            assertThat(seen.add(
                            task.path("slug").asString(task.path("external_id").asString())))
                    .isTrue();
        }
    }

    private List<JsonNode> tasks() {
        return read().stream()
                .filter(one -> one.kind() == Submission.Kind.TASK)
                .map(one -> EventJson.mapper().readTree(one.body()))
                .toList();
    }

    private List<Submission> read() {
        List<Submission> submissions = new ArrayList<>();
        LineForm form = sample.form("http://127.0.0.1:1");
        try (LineSource lines = sample.open()) {
            for (LineSource.Line line = lines.next(); line != null; line = lines.next()) {
                assertThat(form.read(line)).isInstanceOf(LineForm.Outcome.Ready.class);
                submissions.add(((LineForm.Outcome.Ready) form.read(line)).submission());
            }
        }
        return submissions;
    }
}
