package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ReviewIT {

    private static final String OPS = operator();

    private static String operator() {
        ApiKeyToken token = ApiKeyToken.generate("test", "reviewops", new SecureRandom());
        sql().sql("insert into ingest.api_key (key_id, tenant_id, client_id, version, secret_digest, scopes)"
                        + " values (?, 'alpha', 'reviewer', 1, ?, '{ops}') on conflict do nothing")
                .param(token.keyId())
                .param(token.digest(Secret.of(TestIngest.PEPPER)))
                .update();
        return token.reveal();
    }

    /** Subjects and details of what a question found. */
    private static List<String> found(String question) {
        Answer answer = get(OPS, "/v1/review?limit=200");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        List<String> entries = new ArrayList<>();
        for (JsonNode one : answer.body().path("questions")) {
            if (one.path("question").asString().equals(question)) {
                one.path("entries")
                        .forEach(entry -> entries.add(entry.path("subject").asString() + " | "
                                + entry.path("detail").asString()));
                assertThat(one.path("found").asInt()).isGreaterThanOrEqualTo(entries.size());
            }
        }
        return entries;
    }

    @Test
    void slugs_that_differ_in_case_alone_are_doubled() {
        assertThat(post(ALPHA, "/v1/tasks", article("Review-Doubled", "zh", "a"))
                        .status())
                .isEqualTo(201);
        assertThat(post(ALPHA, "/v1/tasks", article("review-doubled", "zh", "b"))
                        .status())
                .isEqualTo(201);
        assertThat(found("doubled_slugs")).anyMatch(entry -> entry.startsWith("review-doubled | "));
    }

    @Test
    void a_conflict_is_open_until_somebody_says_what_came_of_it() {
        ObjectNode first = article("review-conflict", "zh", "a").put("external_id", "review_conflict_a_v1");
        ObjectNode second = article("review-conflict", "zh", "b").put("external_id", "review_conflict_b_v1");
        assertThat(post(ALPHA, "/v1/tasks", first).status()).isEqualTo(201);
        assertThat(post(ALPHA, "/v1/tasks", second).status()).isEqualTo(409);
        assertThat(found("open_audits"))
                .anyMatch(entry -> entry.startsWith("review_conflict_b_v1 | conflict slug_conflict"));
        sql().sql("insert into ingest.audit_follow_up (audit_id, tenant_id, note, at, client_id, key_id)"
                        + " select id, tenant_id, 'another slug', now(), 'ops', 'k' from ingest.audit"
                        + " where external_id = 'review_conflict_b_v1'")
                .update();
        assertThat(found("open_audits")).noneMatch(entry -> entry.startsWith("review_conflict_b_v1"));
    }

    @Test
    void a_search_engine_that_was_not_told_for_an_hour_is_open() {
        ObjectNode body = campaign("review_baidu_v1");
        body.putArray("target_platforms").add("baidu").add("wordpress");
        assertThat(post(ALPHA, "/v1/tasks", body).status()).isEqualTo(201);
        assertThat(found("open_search_submissions")).noneMatch(entry -> entry.startsWith("review_baidu_v1"));
        sql().sql(
                        "update ingest.target set updated_at = now() - interval '2 hours', state = 'not_configured',"
                                + " error_code = 'account_missing' where external_id = 'review_baidu_v1' and platform = 'baidu'")
                .update();
        assertThat(found("open_search_submissions")).contains("review_baidu_v1 | baidu not_configured account_missing");
    }

    @Test
    void a_post_that_failed_is_open() {
        assertThat(post(ALPHA, "/v1/tasks", campaign("review_failed_v1")).status())
                .isEqualTo(201);
        sql().sql("update ingest.target set state = 'failed', error_code = 'slug_taken'"
                        + " where external_id = 'review_failed_v1' and platform = 'zhihu'")
                .update();
        assertThat(found("open_targets")).contains("review_failed_v1 | zhihu failed slug_taken");
    }

    @Test
    void a_translation_key_with_one_language_is_incomplete() {
        assertThat(post(ALPHA, "/v1/tasks", article("review-half-zh", "zh", "a").put("translation_key", "review-half"))
                        .status())
                .isEqualTo(201);
        assertThat(post(ALPHA, "/v1/tasks", article("review-any-en", "en", "a")).status())
                .isEqualTo(201);
        assertThat(found("incomplete_translations"))
                .anyMatch(entry -> entry.startsWith("review-half | only zh on blog"));
        assertThat(post(ALPHA, "/v1/tasks", article("review-half-en", "en", "b").put("translation_key", "review-half"))
                        .status())
                .isEqualTo(201);
        assertThat(found("incomplete_translations")).noneMatch(entry -> entry.startsWith("review-half |"));
    }

    @Test
    void an_article_that_the_sitemap_cannot_list_is_missing_from_it() {
        ObjectNode body = article("review-unlisted", "zh", "a").put("external_id", "review_unlisted_v1");
        body.remove("slug");
        assertThat(post(ALPHA, "/v1/tasks", body).status()).isEqualTo(201);
        assertThat(found("missing_from_sitemap")).contains("review_unlisted_v1 | no slug");
    }

    @Test
    void the_same_refusal_three_times_is_a_blind_retry() {
        ObjectNode body = campaign("review_blind_v1").put("callback_url", "ftp://nowhere");
        for (int i = 0; i < 2; i++) {
            assertThat(post(ALPHA, "/v1/tasks", body).status()).isEqualTo(400);
        }
        assertThat(blindRetries()).isZero();
        assertThat(post(ALPHA, "/v1/tasks", body).status()).isEqualTo(400);
        assertThat(blindRetries()).isEqualTo(1);
    }

    private static long blindRetries() {
        String digest = sql().sql("select max(payload_digest) from ingest.audit where payload_digest in"
                        + " (select payload_digest from ingest.audit where status_code = 400 order by id desc limit 1)")
                .query(String.class)
                .single();
        assertThat(digest).isNotNull();
        return found("blind_retries").stream()
                .filter(entry -> entry.contains("3 times 400 bad_payload to POST /v1/tasks"))
                .count();
    }

    @Test
    void it_is_for_operators_and_within_bounds() {
        assertThat(get(ALPHA, "/v1/review").status()).isEqualTo(403);
        assertThat(get(OPS, "/v1/review?since=2020-01-01T00:00:00Z").status()).isEqualTo(400);
        assertThat(get(OPS, "/v1/review?since=yesterday").pointers()).containsExactly("query:since");
        assertThat(get(OPS, "/v1/review?since=2026-11-28T00:00:00Z&until=2026-11-27T00:00:00Z")
                        .status())
                .isEqualTo(400);
    }
}
