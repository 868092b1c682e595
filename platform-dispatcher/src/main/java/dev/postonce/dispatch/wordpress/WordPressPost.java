package dev.postonce.dispatch.wordpress;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A post as WordPress shows it to its editor.
 *
 * @param marker the last one in its content; null if there is none
 * @param taskVersion that stands beside the marker
 */
record WordPressPost(
        long id,
        String slug,
        String status,
        @Nullable String link,
        String title,
        @Nullable String marker,
        long taskVersion) {

    static final String PUBLISH = "publish";
    static final String DRAFT = "draft";
    static final String TRASH = "trash";

    private static final Pattern MARKER = Pattern.compile("<!-- postonce:(po1-[0-9a-f]{32}) v([0-9]{1,18}) -->");

    /** Empty if it is not a post, or not in the form that editors get. */
    static Optional<WordPressPost> of(JsonNode node) {
        JsonNode id = node.path("id");
        String slug = node.path("slug").stringValue(null);
        String status = node.path("status").stringValue(null);
        String raw = node.path("content").path("raw").stringValue(null);
        if (!id.isIntegralNumber() || slug == null || status == null || raw == null) {
            return Optional.empty();
        }
        String marker = null;
        long version = 0;
        Matcher match = MARKER.matcher(raw);
        while (match.find()) {
            // The last one is ours: it was appended after whatever the article brought along.
            marker = match.group(1);
            version = Long.parseLong(match.group(2));
        }
        return Optional.of(new WordPressPost(
                id.longValue(),
                slug,
                status,
                node.path("link").stringValue(null),
                node.path("title").path("raw").stringValue(""),
                marker,
                version));
    }

    static String commentOf(String marker, long taskVersion) {
        return "<!-- postonce:" + marker + " v" + taskVersion + " -->";
    }

    boolean isTrashed() {
        return status.equals(TRASH);
    }

    boolean isPublic() {
        return status.equals(PUBLISH);
    }

    boolean carries(String ours) {
        return ours.equals(marker);
    }

    WordPressPost carrying(String ours, long version) {
        return new WordPressPost(id, slug, status, link, title, ours, version);
    }

    boolean hasSlug(String sent) {
        return sameSlug(slug, sent);
    }

    /** WordPress keeps letters beyond ASCII as percent escapes in lower case. */
    static boolean sameSlug(String one, String other) {
        return canonical(one).equals(canonical(other));
    }

    private static String canonical(String slug) {
        String escaped = slug.contains("%") ? slug : URLEncoder.encode(slug, StandardCharsets.UTF_8);
        return escaped.toLowerCase(Locale.ROOT);
    }
}
