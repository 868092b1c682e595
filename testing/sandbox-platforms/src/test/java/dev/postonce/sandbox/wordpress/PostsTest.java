package dev.postonce.sandbox.wordpress;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.sandbox.Caller;
import dev.postonce.sandbox.Caller.Reply;
import dev.postonce.sandbox.SandboxConfig;
import dev.postonce.sandbox.SandboxPlatforms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a WordPress was seen to do with posts, over HTTP; each of these was compared with a real one. */
class PostsTest {

    private static final String MARKER = "po1-0123456789abcdef0123456789abcdef";
    private static final String MARKED = "<p>Hi</p>\n<!-- postonce:" + MARKER + " v3 -->";

    private final SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests());
    private final Caller site = new Caller(sandbox.url() + "/wordpress/main");

    @AfterEach
    void close() {
        sandbox.close();
    }

    private Reply create(String slug, String status) {
        Reply reply = site.post(POSTS, post(slug, status, "<p>" + slug + "</p>"));
        assertThat(reply.status()).isEqualTo(201);
        return reply;
    }

    private List<String> slugs(String query) {
        List<String> slugs = new ArrayList<>();
        site.get(POSTS + query)
                .json()
                .forEach(found -> slugs.add(found.get("slug").asString()));
        return slugs;
    }

    @Test
    void a_create_answers_with_the_post_and_where_it_is() {
        Reply created = site.post(POSTS, post("hello", "publish", MARKED));

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("Location"))
                .isEqualTo(sandbox.url() + "/wordpress/main" + POSTS + "/" + created.id());
        assertThat(created.text("slug")).isEqualTo("hello");
        assertThat(created.text("link")).isEqualTo(sandbox.url() + "/wordpress/main/hello/");
        assertThat(created.json().at("/content/raw").asString()).isEqualTo(MARKED);
    }

    @Test
    void a_taken_slug_is_suffixed_without_a_word_and_already_as_a_draft() {
        create("a", "publish");

        assertThat(create("a", "publish").text("slug")).isEqualTo("a-2");
        assertThat(create("a", "draft").text("slug")).isEqualTo("a-3");
        assertThat(create("a", "pending").text("slug")).isEqualTo("a-4");
    }

    @Test
    void a_list_by_slugs_holds_exactly_these_with_its_totals() {
        create("a", "publish");
        create("a", "publish");
        create("ab", "publish");

        Reply list = site.get(POSTS + "?slug=a,a-2,none&status=any&per_page=1&page=2&orderby=id&order=asc");

        assertThat(list.header("X-WP-Total")).isEqualTo("2");
        assertThat(list.header("X-WP-TotalPages")).isEqualTo("2");
        assertThat(list.json()).hasSize(1);
        assertThat(list.json().get(0).get("slug").asString()).isEqualTo("a-2");
        assertThat(slugs("?slug[]=a&slug[]=ab&status=any")).containsExactlyInAnyOrder("a", "ab");
    }

    @Test
    void a_marker_in_a_comment_is_found_by_search_until_it_is_in_the_trash() {
        long id = site.post(POSTS, post("m", "publish", MARKED)).id();
        create("other", "publish");

        Reply found = site.get(POSTS + "?search=" + MARKER + "&status=any&context=edit");
        assertThat(found.json()).hasSize(1);
        assertThat(found.json().at("/0/content/raw").asString()).isEqualTo(MARKED);
        assertThat(slugs("?search=po1-0123&status=any")).containsExactly("m");
        assertThat(slugs("?search=postonce+hi&status=any")).containsExactly("m");
        assertThat(slugs("?search=postonce+absent&status=any")).isEmpty();

        site.call("DELETE", POSTS + "/" + id, null, Map.of());
        assertThat(slugs("?search=" + MARKER + "&status=any")).isEmpty();
        assertThat(slugs("?search=" + MARKER + "&status=trash")).containsExactly("m__trashed");
        assertThat(slugs("?search=" + MARKER + "&status=any,trash")).containsExactly("m__trashed");
    }

    @Test
    void an_update_is_partial_whatever_its_method() {
        long id = create("a", "publish").id();

        for (String method : List.of("POST", "PUT", "PATCH")) {
            Reply updated = site.call(method, POSTS + "/" + id, "{\"title\":\"" + method + "\"}", Map.of());
            assertThat(updated.status()).isEqualTo(200);
            assertThat(updated.json().at("/title/raw").asString()).isEqualTo(method);
            assertThat(updated.json().at("/content/raw").asString()).isEqualTo("<p>a</p>");
            assertThat(updated.text("slug")).isEqualTo("a");
        }
    }

    @Test
    void an_update_to_a_taken_slug_is_suffixed_too() {
        create("a", "publish");
        long id = create("b", "publish").id();

        assertThat(site.post(POSTS + "/" + id, "{\"slug\":\"a\"}").text("slug")).isEqualTo("a-2");
    }

    @Test
    void a_delete_trashes_a_second_one_is_gone_and_force_ends_it() {
        String path = POSTS + "/" + create("a", "publish").id();

        Reply trashed = site.call("DELETE", path, null, Map.of());
        assertThat(trashed.status()).isEqualTo(200);
        assertThat(trashed.text("status")).isEqualTo("trash");
        assertThat(trashed.text("slug")).isEqualTo("a__trashed");
        assertThat(slugs("?slug=a__trashed&status=any")).isEmpty();
        assertThat(slugs("?slug=a__trashed&status=trash")).containsExactly("a__trashed");

        Reply again = site.call("DELETE", path, null, Map.of());
        assertThat(again.status()).isEqualTo(410);
        assertThat(again.text("code")).isEqualTo("rest_already_trashed");

        Reply forced = site.call("DELETE", path + "?force=true", null, Map.of());
        assertThat(forced.json().get("deleted").asBoolean()).isTrue();
        assertThat(site.get(path).text("code")).isEqualTo("rest_post_invalid_id");
    }

    @Test
    void a_trashed_slug_is_free_and_comes_back_suffixed_if_it_was_taken_meanwhile() {
        long first = create("a", "publish").id();
        site.call("DELETE", POSTS + "/" + first, null, Map.of());

        assertThat(create("a", "publish").text("slug")).isEqualTo("a");
        assertThat(site.post(POSTS + "/" + first, "{\"status\":\"publish\"}").text("slug"))
                .isEqualTo("a-2");
    }

    @Test
    void unregistered_meta_is_dropped_without_a_word() {
        Reply created = site.post(POSTS, "{\"title\":\"t\",\"meta\":{\"marker\":\"x\"},\"nonsense\":1}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json().get("meta")).isEmpty();
    }

    @Test
    void a_visitor_sees_what_is_published_and_nothing_else() {
        JsonNode published = site.post(POSTS, post("seen", "publish", MARKED)).json();
        create("hidden", "draft");

        Caller visitor = new Caller(published.get("link").asString()).as("");
        Reply page = visitor.get("");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.response().body()).contains("Title of seen", MARKED);
        assertThat(site.as("").get("/hidden/").status()).isEqualTo(404);
    }
}
