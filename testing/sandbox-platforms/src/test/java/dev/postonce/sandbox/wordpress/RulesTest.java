package dev.postonce.sandbox.wordpress;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.sandbox.Caller;
import dev.postonce.sandbox.Caller.Reply;
import dev.postonce.sandbox.SandboxConfig;
import dev.postonce.sandbox.SandboxPlatforms;
import dev.postonce.sandbox.wordpress.WordPressUser.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may do what, what is refused and with which words, and what time does. */
class RulesTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-29T10:00:00Z"));
    private final SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests()
            .withClock(now::get)
            .withUsers(
                    new WordPressUser(1, "admin", "abcd efgh", Role.ADMINISTRATOR),
                    new WordPressUser(2, "author", "ijkl", Role.AUTHOR)));
    private final Caller admin = new Caller(sandbox.url() + "/wordpress/main").as("admin:abcdefgh");
    private final Caller author = admin.as("author:ijkl");
    private final Caller nobody = admin.as("");
    private final Caller wrong = admin.as("admin:nonsense");

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void a_stranger_reads_what_is_published_only() {
        long published = admin.post(POSTS, post("a", "publish", "x")).id();
        long draft = admin.post(POSTS, post("b", "draft", "x")).id();

        assertThat(nobody.get(POSTS).json()).hasSize(1);
        assertThat(nobody.get(POSTS + "/" + published).json().at("/content/raw").isMissingNode())
                .isTrue();
        assertError(nobody.get(POSTS + "/" + draft), 401, "rest_forbidden");
        assertError(nobody.get(POSTS + "?context=edit"), 401, "rest_forbidden_context");
        Reply any = nobody.get(POSTS + "?status=any");
        assertError(any, 400, "rest_invalid_param");
        assertThat(any.json().at("/data/details/status/code").asString()).isEqualTo("rest_forbidden_status");
        assertThat(any.json().at("/data/details/status/data/status").asInt()).isEqualTo(401);
    }

    @Test
    void a_wrong_password_is_a_stranger_who_may_read_but_not_write() {
        long id = admin.post(POSTS, post("a", "publish", "x")).id();

        assertThat(wrong.get(POSTS + "?slug=a").json()).hasSize(1);
        assertError(wrong.post(POSTS, post("b", "publish", "x")), 401, "rest_cannot_create");
        assertError(wrong.post(POSTS + "/" + id, "{\"title\":\"y\"}"), 401, "rest_cannot_edit");
        assertError(wrong.call("DELETE", POSTS + "/" + id, null, Map.of()), 401, "rest_cannot_delete");
        assertError(wrong.get("/wp-json/wp/v2/users/me"), 401, "rest_not_logged_in");
        assertThat(admin.get("/wp-json/wp/v2/users/me").text("name")).isEqualTo("admin");
    }

    @Test
    void an_authors_html_is_cleaned_but_the_comment_with_the_marker_stays() {
        String comment = "<!-- postonce:po1-0123456789abcdef0123456789abcdef v1 -->";
        String html = "<p onclick=\"x()\">a<script>alert(1)</script></p><iframe src='x'></iframe>" + comment;

        assertThat(author.post(POSTS, post("a", "publish", html))
                        .json()
                        .at("/content/raw")
                        .asString())
                .isEqualTo("<p>aalert(1)</p>" + comment);
        assertThat(admin.post(POSTS, post("b", "publish", html))
                        .json()
                        .at("/content/raw")
                        .asString())
                .isEqualTo(html);
    }

    @Test
    void an_author_keeps_to_its_own_posts() {
        long id = admin.post(POSTS, post("a", "publish", "x")).id();
        admin.post(POSTS, post("d", "draft", "x"));
        author.post(POSTS, post("own", "draft", "x"));

        assertError(author.post(POSTS + "/" + id, "{\"title\":\"y\"}"), 403, "rest_cannot_edit");
        assertError(author.call("DELETE", POSTS + "/" + id, null, Map.of()), 403, "rest_cannot_delete");
        assertError(author.get(POSTS + "/" + id + "?context=edit"), 403, "rest_forbidden_context");
        assertThat(author.get(POSTS + "?status=any&context=edit").json()).hasSize(1);
        assertThat(author.get(POSTS + "?status=any").json()).hasSize(2);
        assertThat(author.get(POSTS + "?status=any").header("X-WP-Total")).isEqualTo("3");
    }

    @Test
    void a_future_date_schedules_and_the_post_appears_when_its_time_has_come() {
        String body = "{\"title\":\"t\",\"slug\":\"f\",\"status\":\"publish\",\"date_gmt\":\"2026-11-29T11:00:00\"}";
        Reply created = admin.post(POSTS, body);
        assertThat(created.text("status")).isEqualTo("future");
        assertThat(nobody.get(POSTS + "?slug=f").json()).isEmpty();

        now.updateAndGet(instant -> instant.plus(Duration.ofHours(2)));
        assertThat(nobody.get(POSTS + "?slug=f").json()).hasSize(1);
        assertThat(admin.get(POSTS + "/" + created.id()).text("status")).isEqualTo("publish");
    }

    @Test
    void what_is_wrong_is_refused_in_wordpress_words() {
        assertError(admin.post(POSTS, post("a", "nonsense", "x")), 400, "rest_invalid_param");
        assertError(admin.post(POSTS, post("a", "trash", "x")), 400, "rest_invalid_param");
        assertError(admin.post(POSTS, "{\"title\":"), 400, "rest_invalid_json");
        assertError(admin.post(POSTS, "{\"slug\":\"e\",\"status\":\"publish\"}"), 400, "empty_content");
        assertError(admin.post(POSTS, "{\"id\":5,\"title\":\"t\"}"), 400, "rest_post_exists");
        assertError(admin.post(POSTS, "{\"title\":\"t\",\"tags\":[\"promo\"]}"), 400, "rest_invalid_param");
        assertError(admin.post(POSTS, "{\"title\":\"t\",\"meta\":\"x\"}"), 400, "rest_invalid_param");
        assertError(admin.post(POSTS, "{\"title\":\"t\",\"date_gmt\":\"soon\"}"), 400, "rest_invalid_param");
        assertError(admin.post(POSTS, "{\"title\":\"t\",\"author\":99}"), 400, "rest_invalid_author");
        assertError(admin.post(POSTS + "/77", "{\"title\":\"t\"}"), 404, "rest_post_invalid_id");
        assertError(admin.get("/wp-json/wp/v2/nonsense"), 404, "rest_no_route");
        assertError(admin.get(POSTS + "?per_page=101"), 400, "rest_invalid_param");
        admin.post(POSTS, post("a", "publish", "x"));
        assertError(admin.get(POSTS + "?page=9"), 400, "rest_post_invalid_page_number");
    }

    private static void assertError(Reply reply, int status, String code) {
        assertThat(reply.text("code")).isEqualTo(code);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.json().at("/data/status").asInt()).isEqualTo(status);
        assertThat(reply.text("message")).isNotEmpty();
    }
}
