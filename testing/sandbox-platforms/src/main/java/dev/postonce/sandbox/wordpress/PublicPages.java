package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.http.SandboxRequest;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a visitor sees. */
final class PublicPages {

    private static final String PAGE =
            """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><title>%s</title><link rel="canonical" href="%s"></head>
            <body><p>Sandbox: this is a stand-in for a WordPress site.</p><article><h1>%s</h1>
            %s
            </article></body></html>
            """;

    private PublicPages() {}

    static Answer page(WordPressSite site, String siteUrl, SandboxRequest request, Instant now) {
        StoredPost post = asked(site, request);
        if (post == null || post.post().statusAt(now) != PostStatus.PUBLISH) {
            return Answer.text(404, "text/html; charset=UTF-8", "<html><body><h1>Page not found</h1></body></html>\n");
        }
        PostTexts texts = site.texts(post);
        String title = texts.title().replace("&", "&amp;").replace("<", "&lt;");
        String link = PostJson.link(post.post(), siteUrl, now);
        return Answer.text(200, "text/html; charset=UTF-8", PAGE.formatted(title, link, title, texts.content()));
    }

    private static @Nullable StoredPost asked(WordPressSite site, SandboxRequest request) {
        String number = request.parameter("p");
        if (number != null && number.matches("[0-9]{1,18}")) {
            return site.find(Long.parseLong(number));
        }
        String slug = request.path().replaceAll("^/+|/+$", "").toLowerCase(Locale.ROOT);
        return site.withSlug(slug).stream().findFirst().orElse(null);
    }
}
