package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.READ_ONLY;
import static dev.postonce.ingest.Intake.STRICT;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CheckIT {

    private static final String PATH = "/v1/tasks:check";

    private static List<String> codes(Answer answer) {
        List<String> codes = new ArrayList<>();
        answer.body()
                .path("findings")
                .forEach(finding -> codes.add(finding.path("code").asString()));
        return codes;
    }

    @Test
    void a_check_stores_nothing() {
        long before = count("ingest.audit") + count("ingest.task") + count("ingest.outbox_event");
        Answer answer = post(ALPHA, PATH, campaign("check_stores_nothing_v1"), "Idempotency-Key", "check-1");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("passes").asBoolean()).isTrue();
        assertThat(answer.at("external_id")).isEqualTo("check_stores_nothing_v1");
        assertThat(count("ingest.audit") + count("ingest.task") + count("ingest.outbox_event"))
                .isEqualTo(before);
        assertThat(post(ALPHA, "/v1/tasks", campaign("check_stores_nothing_v1")).status())
                .isEqualTo(201);
    }

    @Test
    void what_the_intake_would_refuse_is_an_error_with_its_pointer() {
        ObjectNode body =
                campaign("check_malformed_v1").put("callback_url", "ftp://x").put("titel", "x");
        body.remove("title");
        Answer answer = post(ALPHA, PATH, body);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("passes").asBoolean()).isFalse();
        assertThat(answer.body().path("errors").asInt()).isEqualTo(3);
        List<String> pointers = new ArrayList<>();
        answer.body()
                .path("findings")
                .forEach(finding -> pointers.add(finding.path("pointer").asString()));
        assertThat(pointers).containsExactlyInAnyOrder("/title", "/callback_url", "/titel");
        assertThat(codes(answer)).containsOnly("malformed");
    }

    @Test
    void a_status_is_judged_and_not_refused_as_unknown() {
        assertThat(codes(post(ALPHA, PATH, campaign("check_status_v1").put("status", "published"))))
                .doesNotContain("malformed", "status_not_public");
        assertThat(codes(post(ALPHA, PATH, campaign("check_status_v1").put("status", "draft"))))
                .contains("status_not_public");
        assertThat(codes(post(ALPHA, PATH, campaign("check_status_v1").put("status", "odd"))))
                .contains("status_unknown");
    }

    @Test
    void a_slug_of_another_task_is_told_to_its_tenant_alone() {
        ObjectNode stored = article("check-slug-taken", "zh", "text").put("external_id", "check_slug_first_v1");
        assertThat(post(ALPHA, "/v1/tasks", stored).status()).isEqualTo(201);
        ObjectNode second =
                article("check-slug-taken", "zh", "another text").put("external_id", "check_slug_second_v1");
        assertThat(codes(post(ALPHA, PATH, second))).contains("slug_taken");
        assertThat(post(BETA, PATH, second).text()).doesNotContain("slug_taken", "check_slug_first_v1");
    }

    @Test
    void a_link_is_dead_until_its_article_is_there() {
        ObjectNode body = article("check-links", "zh", "[x](https://blog.example.com/zh/check-linked)")
                .put("external_id", "check_links_v1");
        assertThat(codes(post(ALPHA, PATH, body))).contains("link_dead");
        assertThat(post(ALPHA, "/v1/tasks", article("check-linked", "zh", "text"))
                        .status())
                .isEqualTo(201);
        assertThat(codes(post(ALPHA, PATH, body))).doesNotContain("link_dead");
    }

    @Test
    void the_tenants_policy_decides_what_is_an_error() {
        assertThat(post(ALPHA, PATH, campaign("check_policy"))
                        .body()
                        .path("passes")
                        .asBoolean())
                .isTrue();
        assertThat(post(STRICT, PATH, campaign("check_policy"))
                        .body()
                        .path("passes")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void it_needs_the_scope_submit_and_a_json_object() {
        assertThat(post(READ_ONLY, PATH, campaign("check_scope_v1")).status()).isEqualTo(403);
        assertThat(post(ALPHA, PATH, "[]").status()).isEqualTo(400);
        assertThat(post(ALPHA, PATH, "{").at("error_code")).isEqualTo("bad_payload");
    }
}
