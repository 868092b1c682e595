package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.ALPHA_OTHER_CLIENT;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.TaskState;
import dev.postonce.ingest.Intake.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What submissions leave behind; {@link AnswerTableIT} has the table of answers row by row. */
class SubmitTaskIT {

    @Test
    void first_submission_is_created_with_its_targets_event_audit_row_and_location() {
        Answer answer = post(ALPHA, "/v1/tasks", campaign("first-1"), "X-Request-Id", "my-request-1");

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(answer.header("Location")).isEqualTo("/v1/tasks/first-1");
        assertThat(answer.header("X-Request-Id")).isEqualTo("my-request-1");
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
        assertThat(answer.body().path("ok").asBoolean()).isTrue();
        assertThat(answer.at("request_id")).isEqualTo("my-request-1");
        assertThat(answer.at("status")).isEqualTo("active");
        assertThat(answer.body().path("version").asLong()).isEqualTo(1);
        assertThat(answer.body().path("idempotent_replay").asBoolean(true)).isFalse();
        assertThat(answer.platforms()).containsExactly("toutiao", "wechat_mp", "baijiahao", "zhihu");
        assertThat(answer.body().path("targets").get(0).path("state").asString())
                .isEqualTo("pending");

        Map<String, Object> event = Intake.sql()
                .sql("select * from ingest.outbox_event where record_key = 'alpha:first-1'")
                .query()
                .singleRow();
        assertThat(event.get("topic")).isEqualTo("postonce.task.v1");
        assertThat(event.get("subject")).isEqualTo("first-1");
        assertThat(event.get("aggregate_version")).isEqualTo(1L);
        TaskState state = EventJson.read(event.get("data").toString(), TaskState.class);
        assertThat(state.taskId()).isEqualTo(answer.at("id"));
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(Intake.sql()
                        .sql("select content_digest from ingest.task where tenant_id='alpha' and external_id='first-1'")
                        .query(String.class)
                        .single())
                .isEqualTo(state.contentDigest());
        Answer trail = get(ALPHA, "/v1/tasks/first-1/audit");
        assertThat(trail.body().path("entries")).hasSize(1);
        assertThat(trail.body().path("entries").get(0).path("outcome").asString())
                .isEqualTo("created");
        assertThat(trail.body().path("entries").get(0).path("request_id").asString())
                .isEqualTo("my-request-1");
    }

    @Test
    void same_external_id_with_equal_content_is_a_replay_of_the_same_resource() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("replay-1"));
        Answer again = post(ALPHA, "/v1/tasks", campaign("replay-1"));
        Answer fewer = post(ALPHA, "/v1/tasks", platforms(campaign("replay-1"), "zhihu"));

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("id")).isEqualTo(first.at("id"));
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(again.body().has("content_differs")).isFalse();
        assertThat(fewer.status()).isEqualTo(200);
        assertThat(fewer.platforms()).hasSize(4);
        assertThat(count("ingest.outbox_event where record_key = 'alpha:replay-1'"))
                .isEqualTo(1);
        assertThat(count("ingest.audit where external_id = 'replay-1' and outcome = 'replay'"))
                .isEqualTo(2);
    }

    @Test
    void success_and_replay_have_one_body_shape() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("shape-1"));
        Answer again = post(ALPHA, "/v1/tasks", campaign("shape-1"));

        assertThat(again.body().propertyNames())
                .containsExactlyElementsOf(first.body().propertyNames());
        ObjectNode expected = ((ObjectNode) first.body().deepCopy())
                .put("request_id", again.at("request_id"))
                .put("idempotent_replay", true);
        assertThat(again.body()).isEqualTo(expected);
    }

    @Test
    void members_in_another_order_and_content_that_cleans_to_the_same_are_equal_content() {
        post(ALPHA, "/v1/tasks", campaign("equal-1"));
        ObjectNode same = campaign("equal-1");
        same.put("content_html", "<p onclick=\"x()\">活动正文 equal-1</p><script>alert(1)</script>");

        Answer again = post(ALPHA, "/v1/tasks", same);

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.body().has("content_differs")).isFalse();
    }

    @Test
    void new_platforms_are_added_alone_with_the_current_content_and_a_new_version() {
        Answer first = post(ALPHA, "/v1/tasks", platforms(campaign("added-1"), "toutiao"));
        Answer added = post(ALPHA, "/v1/tasks", platforms(campaign("added-1"), "wordpress", "toutiao", "webhook"));

        assertThat(added.status()).as(added.text()).isEqualTo(200);
        assertThat(added.at("id")).isEqualTo(first.at("id"));
        assertThat(added.strings("added_platforms")).containsExactly("wordpress", "webhook");
        assertThat(added.body().path("version").asLong()).isEqualTo(2);
        assertThat(added.platforms()).containsExactly("toutiao", "wordpress", "webhook");
        TaskState state = EventJson.read(
                Intake.sql()
                        .sql("select data from ingest.outbox_event where record_key='alpha:added-1'"
                                + " and aggregate_version = 2")
                        .query(String.class)
                        .single(),
                TaskState.class);
        assertThat(state.targetPlatforms()).containsExactly("toutiao", "wordpress", "webhook");
        assertThat(state.contentDigest()).isEqualTo(Digests.ofState(state));
        assertThat(count("ingest.target where external_id='added-1' and task_version=1"))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id='added-1' and task_version=2"))
                .isEqualTo(2);
        assertThat(count("ingest.audit where external_id='added-1' and outcome='updated'"))
                .isEqualTo(1);

        Answer again = post(ALPHA, "/v1/tasks", platforms(campaign("added-1"), "wordpress", "toutiao", "webhook"));
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(again.body().path("version").asLong()).isEqualTo(2);
    }

    @Test
    void other_content_changes_nothing_and_names_the_fields_and_the_update_interface() {
        post(ALPHA, "/v1/tasks", campaign("differs-1"));
        ObjectNode edited = campaign("differs-1").put("title", "11.11 主会场").put("summary", "改了");
        platforms(edited, "toutiao", "wordpress");

        Answer answer = post(ALPHA, "/v1/tasks", edited);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(answer.strings("content_differs")).containsExactly("title", "summary");
        assertThat(answer.body().path("links").path("update").asString()).isEqualTo("/v1/tasks/differs-1");
        assertThat(answer.strings("not_added_platforms")).containsExactly("wordpress");
        assertThat(get(ALPHA, "/v1/tasks/differs-1").at("title")).isEqualTo("11.11 主会场预热");
        assertThat(count("ingest.outbox_event where record_key = 'alpha:differs-1'"))
                .isEqualTo(1);
    }

    @Test
    void same_slug_with_other_content_is_a_slug_conflict_that_names_what_differs() {
        post(ALPHA, "/v1/tasks", article("taken-1", "en", "One text.").put("external_id", "taken-a"));

        Answer answer = post(ALPHA, "/v1/tasks", article("taken-1", "zh", "Another text."));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.at("error_code")).isEqualTo("slug_conflict");
        assertThat(answer.strings("differs")).containsExactly("content_md", "language");
        assertThat(answer.at("conflicts_with")).isEqualTo("taken-a");
        assertThat(count("ingest.task where slug = 'taken-1'")).isEqualTo(1);
    }

    @Test
    void same_slug_and_all_equal_under_another_external_id_is_a_replay_of_the_existing_article() {
        Answer first =
                post(ALPHA, "/v1/tasks", article("same-1", "en", "One text.").put("external_id", "same-a"));
        Answer second = post(
                ALPHA,
                "/v1/tasks",
                article("same-1", "en", "One text.").put("external_id", "same-b"),
                "Idempotency-Key",
                "same-slug-key");
        Answer third = post(
                ALPHA,
                "/v1/tasks",
                article("same-1", "en", "One text.").put("external_id", "same-b"),
                "Idempotency-Key",
                "same-slug-key");

        assertThat(second.status()).as(second.text()).isEqualTo(200);
        assertThat(second.at("id")).isEqualTo(first.at("id"));
        assertThat(second.at("external_id")).isEqualTo("same-a");
        assertThat(second.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(third.at("id")).isEqualTo(first.at("id"));
    }

    @Test
    void one_slug_on_two_sites_or_of_two_tenants_is_two_articles() {
        assertThat(post(ALPHA, "/v1/tasks", article("sites-1", "en", "A").put("external_id", "sites-a"))
                        .status())
                .isEqualTo(201);
        assertThat(post(
                                ALPHA,
                                "/v1/tasks",
                                article("sites-1", "en", "B")
                                        .put("site", "news")
                                        .put("external_id", "sites-b"))
                        .status())
                .isEqualTo(201);
        assertThat(post(BETA, "/v1/tasks", article("sites-1", "en", "C").put("external_id", "sites-a"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void an_article_of_a_known_site_has_its_url() {
        Answer answer = post(ALPHA, "/v1/tasks", article("双11-预热", "zh", "正文"));

        assertThat(answer.at("url")).isEqualTo("https://blog.example.com/zh/%E5%8F%8C11-%E9%A2%84%E7%83%AD");
        assertThat(answer.at("slug")).isEqualTo("双11-预热");
    }

    @Test
    void same_header_with_another_payload_is_refused() {
        post(ALPHA, "/v1/tasks", campaign("header-1"), "Idempotency-Key", "header-key-1");

        Answer other = post(ALPHA, "/v1/tasks", campaign("header-2"), "Idempotency-Key", "\"header-key-1\"");
        Answer sameTask =
                post(ALPHA, "/v1/tasks", campaign("header-1").put("title", "x"), "Idempotency-Key", "header-key-1");

        assertThat(other.status()).as(other.text()).isEqualTo(422);
        assertThat(other.at("error_code")).isEqualTo("idempotency_key_reused");
        assertThat(sameTask.status()).isEqualTo(422);
        assertThat(count("ingest.task where external_id = 'header-2'")).isZero();
        assertThat(count("ingest.outbox_event where record_key = 'alpha:header-2'"))
                .isZero();
    }

    @Test
    void same_header_with_the_same_payload_is_a_replay_whatever_the_order_of_members() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("header-3"), "Idempotency-Key", "header-key-3");
        ObjectNode turned = Intake.JSON.createObjectNode();
        campaign("header-3").properties().stream()
                .sorted((a, b) -> b.getKey().compareTo(a.getKey()))
                .forEach(entry -> turned.set(entry.getKey(), entry.getValue()));

        Answer again = post(ALPHA, "/v1/tasks", turned, "Idempotency-Key", "\"header-key-3\"");

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.at("id")).isEqualTo(first.at("id"));
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
    }

    @Test
    void a_new_header_on_an_existing_task_binds_to_it() {
        post(ALPHA, "/v1/tasks", campaign("bind-1"));
        post(ALPHA, "/v1/tasks", campaign("bind-1"), "Idempotency-Key", "bind-key-1");

        Answer lookedUp = get(ALPHA, "/v1/requests/bind-key-1");
        Answer reused = post(ALPHA, "/v1/tasks", campaign("bind-2"), "Idempotency-Key", "bind-key-1");

        assertThat(lookedUp.status()).as(lookedUp.text()).isEqualTo(200);
        assertThat(lookedUp.body().path("requests").get(0).path("external_id").asString())
                .isEqualTo("bind-1");
        assertThat(reused.status()).isEqualTo(422);
    }

    @Test
    void an_expired_header_may_stand_for_another_request() {
        post(ALPHA, "/v1/tasks", campaign("expire-1"), "Idempotency-Key", "expire-key-1");
        Intake.sql()
                .sql("update ingest.idempotency_record set expires_at = now() - interval '1 s'"
                        + " where resource_ref = 'expire-1'")
                .update();

        Answer other = post(ALPHA, "/v1/tasks", campaign("expire-2"), "Idempotency-Key", "expire-key-1");

        assertThat(other.status()).as(other.text()).isEqualTo(201);
        assertThat(get(ALPHA, "/v1/requests/expire-key-1")
                        .body()
                        .path("requests")
                        .get(0)
                        .path("external_id")
                        .asString())
                .isEqualTo("expire-2");
    }

    @Test
    void headers_belong_to_the_client_and_another_client_may_use_the_same() {
        assertThat(post(ALPHA, "/v1/tasks", campaign("client-1"), "Idempotency-Key", "client-key")
                        .status())
                .isEqualTo(201);
        assertThat(post(ALPHA_OTHER_CLIENT, "/v1/tasks", campaign("client-2"), "Idempotency-Key", "client-key")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void the_same_content_for_the_same_account_under_another_external_id_is_named() {
        ObjectNode first = campaign("dup-1").put("content_html", "<p>zweimal</p>");
        ObjectNode second = campaign("dup-2").put("content_html", "<p>zweimal</p>");

        assertThat(post(ALPHA, "/v1/tasks", first).body().has("possible_duplicate_of"))
                .isFalse();
        assertThat(post(ALPHA, "/v1/tasks", second).at("possible_duplicate_of")).isEqualTo("dup-1");
        assertThat(post(BETA, "/v1/tasks", second).body().has("possible_duplicate_of"))
                .isFalse();
    }

    @Test
    void without_an_external_id_one_is_derived_from_the_business_reference_or_the_article() {
        ObjectNode reference = campaign("x").put("business_ref_id", "cms_98231");
        reference.remove("external_id");
        ObjectNode chinese = campaign("x").put("business_ref_id", "文章 98231");
        chinese.remove("external_id");
        ObjectNode longSlug = article("s".repeat(150), "en", "Long.");

        Answer byReference = post(ALPHA, "/v1/tasks", reference);
        Answer byChinese = post(ALPHA, "/v1/tasks", chinese);
        Answer byArticle = post(ALPHA, "/v1/tasks", longSlug);
        Answer again = post(ALPHA, "/v1/tasks", longSlug);

        assertThat(byReference.at("external_id")).isEqualTo("br_cms_98231");
        assertThat(byChinese.at("external_id")).startsWith("brh_").hasSizeLessThanOrEqualTo(64);
        assertThat(byArticle.status()).as(byArticle.text()).isEqualTo(201);
        assertThat(byArticle.at("external_id")).startsWith("fp_").hasSizeLessThanOrEqualTo(64);
        assertThat(again.at("id")).isEqualTo(byArticle.at("id"));
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
    }

    @Test
    void content_is_cleaned_and_the_raw_content_is_kept_with_the_policy() {
        ObjectNode body = campaign("clean-1")
                .put(
                        "content_html",
                        "<p>gut<script>alert(1)</script><a href='javascript:x()'>a</a>"
                                + "<a href='https://example.com/'>b</a></p>");
        post(ALPHA, "/v1/tasks", body);

        String html = get(ALPHA, "/v1/tasks/clean-1").at("content_html");
        assertThat(html)
                .doesNotContain("script")
                .contains("https://example.com/")
                .contains("nofollow");
        Map<String, Object> raw = Intake.sql()
                .sql("select * from ingest.task_content where external_id = 'clean-1'")
                .query()
                .singleRow();
        assertThat(raw.get("raw_content").toString()).contains("<script>");
        assertThat(raw.get("sanitizer_policy")).isEqualTo("owasp-20240325.1/1");
    }

    @Test
    void unknown_resources_and_those_of_another_tenant_are_not_found() {
        post(ALPHA, "/v1/tasks", campaign("mine-1"), "Idempotency-Key", "mine-key-1");

        for (String path : new String[] {
            "/v1/tasks/mine-1", "/v1/tasks/mine-1/audit", "/v1/requests/mine-key-1", "/v1/tasks/none", "/v1/nothing"
        }) {
            Answer answer = get(BETA, path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.at("error_code")).isEqualTo("not_found");
        }
        assertThat(get(BETA, "/v1/tasks/%E4%B8%AD%00").status()).isIn(400, 404);
        assertThat(post(BETA, "/v1/tasks", campaign("mine-1"), "Idempotency-Key", "mine-key-1")
                        .status())
                .isEqualTo(201);
    }
}
