package dev.postonce.sandbox.wordpress;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What WordPress takes out of an author's HTML: tags that are not allowed go, their text and comments stay. */
final class Kses {

    private static final Set<String> ALLOWED = Set.of(
            "a",
            "abbr",
            "acronym",
            "address",
            "article",
            "aside",
            "audio",
            "b",
            "bdo",
            "big",
            "blockquote",
            "br",
            "button",
            "caption",
            "cite",
            "code",
            "col",
            "colgroup",
            "dd",
            "del",
            "details",
            "dfn",
            "div",
            "dl",
            "dt",
            "em",
            "figcaption",
            "figure",
            "font",
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "i",
            "img",
            "ins",
            "kbd",
            "label",
            "legend",
            "li",
            "main",
            "map",
            "mark",
            "nav",
            "ol",
            "p",
            "pre",
            "q",
            "s",
            "samp",
            "section",
            "small",
            "span",
            "strike",
            "strong",
            "sub",
            "summary",
            "sup",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
            "thead",
            "tr",
            "track",
            "tt",
            "u",
            "ul",
            "var",
            "video");

    private static final Pattern PIECE =
            Pattern.compile("<!--(.*?)-->|<\\s*(/?)\\s*([a-zA-Z0-9-]+)([^>]*)>", Pattern.DOTALL);
    private static final Pattern HANDLER =
            Pattern.compile("\\s+on[a-z]+\\s*=\\s*(\"[^\"]*\"|'[^']*'|[^\\s>]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SCRIPT_URL =
            Pattern.compile("(=\\s*[\"']?)\\s*(javascript|vbscript|data)\\s*:", Pattern.CASE_INSENSITIVE);

    private Kses() {}

    static String clean(String html) {
        Matcher pieces = PIECE.matcher(html);
        StringBuilder cleaned = new StringBuilder();
        while (pieces.find()) {
            pieces.appendReplacement(cleaned, Matcher.quoteReplacement(replacement(pieces)));
        }
        return pieces.appendTail(cleaned).toString();
    }

    private static String replacement(Matcher piece) {
        String comment = piece.group(1);
        if (comment != null) {
            String inside = clean(comment).replaceAll("--+", "-").replaceAll("-$", "");
            return inside.isEmpty() ? "" : "<!--" + inside + "-->";
        }
        String name = String.valueOf(piece.group(3));
        if (!ALLOWED.contains(name.toLowerCase(Locale.ROOT))) {
            return "";
        }
        if (!String.valueOf(piece.group(2)).isEmpty()) {
            return "</" + name + ">";
        }
        String attributes = HANDLER.matcher(String.valueOf(piece.group(4))).replaceAll("");
        String harmless = SCRIPT_URL.matcher(attributes).replaceAll("$1").replaceAll("\\s*/$", " /");
        return "<" + name + harmless + ">";
    }
}
