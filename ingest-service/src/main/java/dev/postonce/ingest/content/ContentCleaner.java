package dev.postonce.ingest.content;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.PolicyFactory;

/**
 * HTML by an allow list, at acceptance and once: platforms are sent nothing else. Markdown is rendered first. What
 * was sent stays in {@code ingest.task_content}, with the policy's name, so that a later policy can be applied to it.
 */
public final class ContentCleaner {

    /** Names the rules below; a change of them takes a new name. */
    public static final String POLICY = "owasp-20240325.1/1";

    private static final int DEPTH_MAX = 100;
    /** A link that is defined once and used a thousand times swells; no event has room for so much. */
    private static final int RENDERED_CHARACTERS_MAX = 4 * 1024 * 1024;

    private static final Pattern LANGUAGE_CLASS = Pattern.compile("language-[A-Za-z0-9+#.-]{1,32}");
    private static final Pattern DIMENSION = Pattern.compile("[0-9]{1,4}%?");
    private static final Pattern ALIGN = Pattern.compile("(?i)left|right|center|justify");
    private static final Pattern SPAN = Pattern.compile("[0-9]{1,3}");
    private static final String IMAGE = "<img ";
    private static final String INVISIBLE = " \t\n\u000b\f\r\u00a0\u200b\ufeff";

    private final PolicyFactory policy = new HtmlPolicyBuilder()
            .allowElements(
                    "p", "div", "span", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code")
            .allowElements("b", "strong", "i", "em", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "kbd")
            .allowElements("ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "section", "article")
            .allowElements("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "a", "img")
            .allowWithoutAttributes("span", "a")
            .allowUrlProtocols("https", "http", "mailto")
            .allowAttributes("href", "title")
            .onElements("a")
            .allowAttributes("src", "alt", "title")
            .onElements("img")
            .allowAttributes("width", "height")
            .matching(DIMENSION)
            .onElements("img")
            .allowAttributes("class")
            .matching(LANGUAGE_CLASS)
            .onElements("code", "pre")
            .allowAttributes("align")
            .matching(ALIGN)
            .onElements("th", "td")
            .allowAttributes("colspan", "rowspan")
            .matching(SPAN)
            .onElements("th", "td")
            .requireRelsOnLinks("nofollow", "noopener")
            .toFactory();

    private final Parser markdown = Parser.builder()
            .extensions(List.of(TablesExtension.create()))
            .maxOpenBlockParsers(DEPTH_MAX)
            .build();
    private final HtmlRenderer renderer =
            HtmlRenderer.builder().extensions(List.of(TablesExtension.create())).build();

    /** Safe HTML; empty where it nests too deeply to be read. */
    public Optional<String> ofHtml(String html) {
        try {
            return Optional.of(inOneOrder(policy.sanitize(html)));
        } catch (StackOverflowError e) {
            return Optional.empty();
        }
    }

    /** The sanitizer's order of the two changes with each start of the JVM, and the article's digest would with it. */
    private static String inOneOrder(String clean) {
        // Outside of a tag the sanitizer writes no bare quotation mark, so this touches attributes only.
        return clean.replace(" rel=\"nofollow noopener\"", " rel=\"noopener nofollow\"");
    }

    /** Safe HTML of Markdown (CommonMark with tables); empty where it nests too deeply, or swells, or cannot be read. */
    public Optional<String> ofMarkdown(String text) {
        try {
            BoundedText html = new BoundedText(RENDERED_CHARACTERS_MAX);
            renderer.render(markdown.parse(text), html);
            return ofHtml(html.toString());
        } catch (RuntimeException | StackOverflowError e) {
            // The libraries' own limits, too, come as errors: of the content, whichever it is.
            return Optional.empty();
        }
    }

    /** Whether a reader would see anything of it: text, or an image. Mostly the first characters tell. */
    public static boolean showsSomething(String cleanHtml) {
        for (int i = 0; i < cleanHtml.length(); i++) {
            char character = cleanHtml.charAt(i);
            if (character == '<' && !cleanHtml.startsWith(IMAGE, i)) {
                i = cleanHtml.indexOf('>', i);
                if (i < 0) {
                    return true;
                }
            } else if (INVISIBLE.indexOf(character) < 0) {
                return true;
            }
        }
        return false;
    }
}
