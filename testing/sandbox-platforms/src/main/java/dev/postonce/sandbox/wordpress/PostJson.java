package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.journal.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** A post as the REST API shows it. */
final class PostJson {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private PostJson() {}

    /**
     * Renders.
     *
     * @param edit whether the raw texts are shown, as to those who may edit
     */
    static ObjectNode of(Post post, PostTexts texts, String siteUrl, boolean edit, Instant now) {
        PostStatus status = post.statusAt(now);
        ObjectNode json = Json.object();
        json.put("id", post.id());
        json.put("date", TIME.format(post.times().date()));
        json.put("date_gmt", TIME.format(post.times().date()));
        rendered(json, "guid", siteUrl + "/?p=" + post.id(), edit);
        json.put("modified", TIME.format(post.times().modified()));
        json.put("modified_gmt", TIME.format(post.times().modified()));
        if (edit) {
            json.put("password", "");
        }
        json.put("slug", post.slug());
        json.put("status", status.word());
        json.put("type", "post");
        json.put("link", link(post, siteUrl, now));
        rendered(json, "title", texts.title(), edit);
        rendered(json, "content", texts.content(), edit).put("protected", false);
        rendered(json, "excerpt", texts.excerpt(), edit).put("protected", false);
        json.put("author", post.authorId());
        json.put("featured_media", 0);
        json.put("comment_status", "open");
        json.put("ping_status", "open");
        json.put("sticky", false);
        json.put("template", "");
        json.put("format", "standard");
        json.putArray("meta");
        json.putArray("categories").add(1);
        json.putArray("tags");
        if (edit) {
            json.put("permalink_template", siteUrl + "/%postname%/");
            json.put("generated_slug", Slugs.sanitize(texts.title()));
        }
        ObjectNode links = json.putObject("_links");
        links.putArray("self").addObject().put("href", resource(post, siteUrl));
        links.putArray("collection").addObject().put("href", siteUrl + WordPressStandIn.POSTS);
        return json;
    }

    static String resource(Post post, String siteUrl) {
        return siteUrl + WordPressStandIn.POSTS + "/" + post.id();
    }

    static String link(Post post, String siteUrl, Instant now) {
        PostStatus status = post.statusAt(now);
        return status == PostStatus.PUBLISH || status == PostStatus.PRIVATE
                ? siteUrl + "/" + post.slug() + "/"
                : siteUrl + "/?p=" + post.id();
    }

    /** Keeps the members that {@code _fields} names; all if it names none. */
    static ObjectNode only(ObjectNode json, List<String> fields) {
        if (fields.isEmpty()) {
            return json;
        }
        List<String> names =
                fields.stream().map(field -> field.replaceAll("\\..*", "")).toList();
        return json.retain(names);
    }

    private static ObjectNode rendered(ObjectNode json, String name, String text, boolean edit) {
        ObjectNode node = json.putObject(name);
        if (edit) {
            node.put("raw", text);
        }
        return node.put("rendered", text);
    }
}
