package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.send;
import static dev.postonce.ingest.Intake.service;
import static dev.postonce.ingest.Intake.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SitemapIT {

    private static final Pattern LOCATION = Pattern.compile("<loc>([^<]*)</loc>");

    private static String sitemap() {
        for (JsonNode site : get(ALPHA, "/v1/sites").body().path("sites")) {
            if (site.path("site").asString().equals("blog")) {
                return site.path("sitemap").asString();
            }
        }
        throw new AssertionError("alpha has no site blog");
    }

    private static void submit(String slug, String language, String key) {
        assertThat(post(
                                ALPHA,
                                "/v1/tasks",
                                article(slug, language, "text of " + slug).put("translation_key", key))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void an_article_is_listed_with_its_translations_to_everybody_who_knows_the_public_id() {
        submit("sitemap-pair-zh", "zh", "sitemap-pair");
        submit("sitemap-pair-en", "en", "sitemap-pair");
        Answer answer = get("", sitemap());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("application/xml");
        String zh = "https://blog.example.com/zh/sitemap-pair-zh";
        String en = "https://blog.example.com/en/sitemap-pair-en";
        assertThat(answer.text())
                .containsPattern("<url><loc>" + zh + "</loc><lastmod>[0-9TZ:-]+</lastmod>"
                        + "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"" + en + "\"/>"
                        + "<xhtml:link rel=\"alternate\" hreflang=\"zh\" href=\"" + zh + "\"/></url>")
                .contains("<url><loc>" + en + "</loc>");
    }

    @Test
    void an_article_that_is_withdrawn_as_gone_leaves_it_and_one_that_is_kept_stays() {
        submit("sitemap-gone", "zh", "sitemap-gone");
        submit("sitemap-kept", "zh", "sitemap-kept");
        assertThat(get("", sitemap()).text()).contains("/zh/sitemap-gone<", "/zh/sitemap-kept<");
        withdraw("sitemap-gone", "gone");
        withdraw("sitemap-kept", "keep");
        assertThat(get("", sitemap()).text()).contains("/zh/sitemap-kept<").doesNotContain("/zh/sitemap-gone<");
    }

    private static void withdraw(String slug, String publicly) {
        String externalId = sql().sql("select external_id from ingest.task where slug = ?")
                .param(slug)
                .query(String.class)
                .single();
        Answer answer = post(
                ALPHA,
                "/v1/tasks/" + externalId + "/withdraw",
                "{\"status\":\"archived\",\"reason\":\"test\",\"public\":\"" + publicly + "\"}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @Test
    void an_article_waits_for_its_time_and_for_an_address() {
        assertThat(post(
                                ALPHA,
                                "/v1/tasks",
                                article("sitemap-later", "zh", "x").put("publish_at", "2199-01-01T00:00:00Z"))
                        .status())
                .isEqualTo(201);
        var without = article("sitemap-no-language", "zh", "x");
        without.remove("language");
        assertThat(post(ALPHA, "/v1/tasks", without).status()).isEqualTo(201);
        assertThat(get("", sitemap()).text()).doesNotContain("sitemap-later", "sitemap-no-language");
    }

    @Test
    void what_did_not_change_is_not_sent_again() {
        submit("sitemap-etag", "zh", "sitemap-etag");
        Answer first = get("", sitemap());
        assertThat(first.header("Last-Modified")).isNotEmpty();
        HttpRequest.Builder again = HttpRequest.newBuilder(URI.create(service().url() + sitemap()));
        again.header("If-None-Match", first.header("ETag"));
        assertThat(send(again.build()).status()).isEqualTo(304);
        submit("sitemap-etag-2", "zh", "sitemap-etag-2");
        assertThat(send(again.build()).status()).isEqualTo(200);
    }

    @Test
    void past_fifty_thousand_entries_there_is_an_index_whose_pages_hold_each_entry_once() {
        String publicId = "ab".repeat(16);
        sql().sql("insert into ingest.tenant (tenant_id, name, environment) values ('many', 'Many', 'test')")
                .update();
        sql().sql("insert into ingest.site (tenant_id, site, public_id, base_url, url_pattern)"
                        + " values ('many', 'm', ?, 'https://many.example.com', '/{slug}')")
                .param(publicId)
                .update();
        sql().sql(
                        "insert into ingest.task (tenant_id, external_id, task_id, version, status, deleted, group_code, title,"
                                + " content_html, tags, target_platforms, content_digest, article_digest, submitted_digest,"
                                + " html_digest, sanitizer_policy, accepted_at, updated_at, site, slug)"
                                + " select 'many', 'm_' || n, gen_random_uuid(), 1, 'active', false, 'g', 't', 'h', '{}', '{}', '', '',"
                                + " '', '', '', now(), now(), 'm', 'slug-' || n from generate_series(1, 50001) as n")
                .update();
        try {
            String path = "/v1/sites/" + publicId + "/sitemap.xml";
            String index = get("", path).text();
            assertThat(index).contains("<sitemapindex").doesNotContain("<url>");
            java.util.Set<String> all = new java.util.HashSet<>();
            int listed = 0;
            Matcher page = LOCATION.matcher(index);
            int pages = 0;
            while (page.find()) {
                pages++;
                String url = page.group(1).replace("&amp;", "&");
                Matcher entry = LOCATION.matcher(
                        send(HttpRequest.newBuilder(URI.create(url)).build()).text());
                while (entry.find()) {
                    listed++;
                    all.add(entry.group(1));
                }
            }
            assertThat(pages).isEqualTo(3);
            assertThat(listed).isEqualTo(50_001);
            assertThat(all).hasSize(50_001);
        } finally {
            sql().sql("delete from ingest.task where tenant_id = 'many'").update();
        }
    }

    @Test
    void a_stranger_learns_nothing_of_a_site() {
        assertThat(get(BETA, "/v1/sites").text()).doesNotContain("blog");
        assertThat(get("", "/v1/sites/blog/sitemap.xml").status()).isEqualTo(404);
        assertThat(get("", "/v1/sites/" + "0".repeat(32) + "/sitemap.xml").status())
                .isEqualTo(404);
        assertThat(get("", "/v1/sites").status()).isEqualTo(401);
        assertThat(get("", sitemap() + "/../../../tasks").status()).isIn(400, 401, 404);
    }
}
