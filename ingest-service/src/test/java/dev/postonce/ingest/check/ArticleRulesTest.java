package dev.postonce.ingest.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.check.Surroundings.Relative;
import dev.postonce.ingest.check.Surroundings.Site;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.task.Article;
import dev.postonce.ingest.task.SubmissionReader;
import dev.postonce.ingest.task.TaskSubmission;
import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.runtime.http.OutgoingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ArticleRulesTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Site BLOG = new Site("https://blog.example.com", "/{language}/{slug}");
    private static final String TEXT = "正文足够长，说明幂等与去重的做法。".repeat(20);

    private static ObjectNode good() {
        ObjectNode json = JSON.createObjectNode()
                .put("external_id", "cms_flask_audit_v1")
                .put("title", "发布接口的幂等与审计")
                .put("summary", "如何让同一篇文章只发布一次，并留下可以复盘的记录")
                .put("category", "后端")
                .put("site", "blog")
                .put("slug", "flask-publish-audit-zh")
                .put("language", "zh")
                .put("translation_key", "flask-publish-audit")
                .put("content_md", TEXT + "\n\n[相关文章](https://blog.example.com/zh/other-article)");
        json.putArray("tags").add("幂等");
        json.putArray("target_platforms").add("wordpress");
        return json;
    }

    private static Surroundings around(Relative... relatives) {
        return new Surroundings(BLOG, List.of(relatives), Set.of("other-article"));
    }

    private static List<String> findings(ObjectNode json, Surroundings around) {
        OutgoingPolicy policy = OutgoingPolicy.strict(Duration.ofSeconds(1), 1);
        TaskSubmission article = new SubmissionReader(policy, 100_000).read(json);
        String html = Article.of(article, new ContentCleaner()).html();
        return ArticleRules.judge(article, json.has("external_id"), html, around).stream()
                .map(finding -> finding.kind().code() + " " + finding.pointer())
                .toList();
    }

    private static List<String> findings(ObjectNode json) {
        return findings(json, around());
    }

    @Test
    void a_good_article_has_no_findings() {
        assertThat(findings(good())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "title, 短, title_short",
        "summary, 太短, summary_short",
        "summary, 发布接口的幂等与审计, summary_is_title",
        "slug, Flask-Publish, slug_form",
        "slug, a--b, slug_form",
        "slug, 2024, slug_form",
        "slug, ends-with-, slug_form",
        "slug, 中文, slug_form",
        "external_id, 7f8c2d2e-5b8b-4c50-9d11-000000000000, random_uuid",
        "external_id, cms_98231, no_version_part",
    })
    void one_unwise_field_is_found_by_its_name(String field, String value, String code) {
        assertThat(findings(good().put(field, value))).contains(code + " /" + field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"summary", "category", "tags", "slug", "language", "translation_key"})
    void a_missing_field_is_found_by_its_name(String field) {
        ObjectNode json = good();
        json.remove(field);
        assertThat(findings(json)).containsExactly(field + "_missing /" + field);
    }

    @Test
    void long_titles_summaries_and_tags_are_found() {
        ObjectNode json = good().put("title", "长".repeat(61)).put("summary", "长".repeat(201));
        json.putArray("tags").add("长".repeat(21));
        assertThat(findings(json)).containsExactly("title_long /title", "summary_long /summary", "tag_long /tags/0");
        ObjectNode many = good();
        for (int i = 0; i < 11; i++) {
            many.withArray("tags").add("标签" + i);
        }
        assertThat(findings(many)).containsExactly("tags_many /tags");
    }

    @Test
    void a_text_that_was_cut_off_inside_a_code_block_is_an_error() {
        ObjectNode json = good();
        json.put("content_md", json.path("content_md").asString() + "\n\n```python\nprint(1)\n");
        assertThat(findings(json)).containsExactly("body_unfinished /content_md");
        json.put("content_md", json.path("content_md").asString() + "```\n");
        assertThat(findings(json)).isEmpty();
    }

    @Test
    void short_bodies_and_placeholders_are_found() {
        assertThat(findings(good().put("content_md", "{{title}} [a](https://blog.example.com/zh/other-article)")))
                .containsExactly("body_short /content_md", "body_placeholder /content_md");
    }

    @Test
    void links_are_judged_by_where_they_lead() {
        ObjectNode json = good().put(
                        "content_md",
                        TEXT + "[a](/zh/other-article) [b](https://blog.example.com/zh/gone?x=1#y)"
                                + " [c](http://192.168.1.7/admin) [d](https://example.org/zh/elsewhere) [e](#part)");
        assertThat(findings(json))
                .containsExactly("link_relative /content_md", "link_dead /content_md", "link_private /content_md");
        assertThat(findings(good().put("content_md", TEXT))).containsExactly("links_missing /content_md");
    }

    @Test
    void a_link_to_the_article_itself_is_not_dead() {
        assertThat(findings(
                        good().put("content_md", TEXT + "[me](https://BLOG.example.com/zh/flask-publish-audit-zh/)")))
                .isEmpty();
    }

    @Test
    void an_unknown_site_is_an_error() {
        assertThat(findings(good(), Surroundings.NONE)).contains("site_unknown /site");
    }

    @Test
    void a_taken_slug_tells_whether_a_translation_has_it() {
        Relative other = new Relative("cms_x_v1", "active", "flask-publish-audit-zh", "zh", "another");
        assertThat(findings(good(), around(other))).containsExactly("slug_taken /slug");
        Relative english = new Relative("cms_x_v1", "active", "flask-publish-audit-zh", "en", "flask-publish-audit");
        assertThat(findings(good(), around(english))).containsExactly("slug_shared_by_translation /slug");
    }

    @Test
    void one_translation_key_has_one_article_a_language() {
        Relative twin = new Relative("cms_x_v1", "active", "another-slug", "zh", "flask-publish-audit");
        assertThat(findings(good(), around(twin))).containsExactly("translation_doubled /translation_key");
        Relative english = new Relative("cms_x_v1", "active", "another-slug", "en", "flask-publish-audit");
        assertThat(findings(good(), around(english))).isEmpty();
    }

    @Test
    void a_withdrawn_task_is_told() {
        Relative itself = new Relative("cms_flask_audit_v1", "draft", "flask-publish-audit-zh", "zh", null);
        assertThat(findings(good(), around(itself))).containsExactly("withdrawn /external_id");
    }

    @Test
    void a_derived_external_id_is_told_unless_it_comes_from_a_business_reference() {
        ObjectNode json = good();
        json.remove("external_id");
        assertThat(findings(json)).containsExactly("external_id_derived /external_id");
        assertThat(findings(json.put("business_ref_id", "98231"))).isEmpty();
    }

    @Test
    void a_policy_overrules_levels_but_not_what_the_intake_refuses() {
        TenantPolicy policy = new TenantPolicy(
                TenantPolicy.DEFAULT.duplicates(),
                TenantPolicy.DEFAULT.content(),
                Map.of(
                        "summary_missing",
                        CheckLevel.ERROR,
                        "tags_missing",
                        CheckLevel.OFF,
                        "malformed",
                        CheckLevel.OFF));
        assertThat(FindingKind.SUMMARY_MISSING.levelBy(policy)).isEqualTo(CheckLevel.ERROR);
        assertThat(FindingKind.TAGS_MISSING.levelBy(policy)).isEqualTo(CheckLevel.OFF);
        assertThat(FindingKind.MALFORMED.levelBy(policy)).isEqualTo(CheckLevel.ERROR);
        assertThat(FindingKind.SLUG_FORM.levelBy(policy)).isEqualTo(CheckLevel.WARNING);
    }
}
