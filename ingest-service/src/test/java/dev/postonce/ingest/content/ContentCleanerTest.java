package dev.postonce.ingest.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCleanerTest {

    private static final int SIZE = 100_000;
    /** Each takes milliseconds; what grows with the square would take minutes. */
    private static final Duration BUSY_MAX = Duration.ofSeconds(5);

    private final ContentCleaner cleaner = new ContentCleaner();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script><p>x</p>",
                "<img src=x onerror=alert(1)>",
                "<a href=\"javascript:alert(1)\">x</a>",
                "<a href=\"data:text/html,x\">x</a>",
                "<svg><script>alert(1)</script></svg>",
                "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
                "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
                "<iframe src=\"https://evil.example\"></iframe>",
                "<p style=\"background:url(javascript:x)\">x</p>",
                "<form action=\"https://evil.example\"><input name=a></form>",
                "<p>a</p><!-- postonce:po1-00000000000000000000000000000000 v1 -->",
                "<<script>script>alert(1)<</script>/script>",
            })
    void what_could_run_is_taken_out_and_cleaning_again_changes_nothing(String html) {
        String clean = cleaner.ofHtml(html).orElseThrow();

        assertThat(clean.toLowerCase(java.util.Locale.ROOT))
                .doesNotContain(
                        "<script", "javascript:", "onerror=alert(1)>", "<iframe", "style=", "data:", "<form", "<!--");
        assertThat(cleaner.ofHtml(clean)).contains(clean);
    }

    @Test
    void what_an_article_needs_stays() {
        String clean = cleaner.ofHtml(
                        "<h2>双11</h2><p><strong>a</strong> <em>b</em></p><ul><li>c</li></ul><pre><code class=\"language-java\">"
                                + "int x;</code></pre><table><tr><td>d</td></tr></table>"
                                + "<img src=\"https://cdn.example.com/a.png\" alt=\"e\" />")
                .orElseThrow();

        assertThat(clean)
                .contains("<h2>双11</h2>", "<strong>a</strong>", "<li>c</li>", "class=\"language-java\"", "<td>d</td>")
                .contains("src=\"https://cdn.example.com/a.png\"");
    }

    @Test
    void markdown_is_rendered_with_tables_and_cleaned() {
        String clean = cleaner.ofMarkdown(
                        "# 标题\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>x</script>\n\n[l](https://example.com)")
                .orElseThrow();

        assertThat(clean)
                .contains("<h1>标题</h1>", "<td>1</td>", "rel=\"noopener nofollow\"")
                .doesNotContain("script");
    }

    @Test
    void deep_nesting_ends_in_an_answer() {
        assertThat(cleaner.ofHtml("<div>".repeat(100_000))).isNotNull();
        assertThat(cleaner.ofMarkdown("> ".repeat(20_000) + "x")).isNotNull();
        assertThat(cleaner.ofMarkdown("*a **b ".repeat(5_000))).isNotNull();
    }

    @Test
    void nothing_visible_is_nothing() {
        assertThat(ContentCleaner.showsSomething("<p> \u00a0</p>")).isFalse();
        assertThat(ContentCleaner.showsSomething("<p>x</p>")).isTrue();
        assertThat(ContentCleaner.showsSomething("<p><img src=\"https://a.example/b\" /></p>"))
                .isTrue();
    }

    /** Beginnings that are repeated, and what parsers look for in vain behind each. */
    static List<String> evilMarkdown() {
        List<String> evil = new ArrayList<>();
        for (String part : List.of(
                "<",
                "<a",
                "<a ",
                "<a b=\"",
                "<!--",
                "<?",
                "<!A",
                "<![CDATA[",
                "<http:",
                "[",
                "]",
                "[a",
                "[a](",
                "[a](<b",
                "[a](b",
                "[a](b \"",
                "![",
                "![[]()",
                "[ (](",
                "*",
                "*a **a ",
                "**a *a ",
                "a**b",
                "a_ ",
                "*a_ ",
                "_a ",
                "`a",
                "``` ",
                "> ",
                "- ",
                "1. ",
                "* a\n",
                ">a\n",
                "#",
                "&",
                "&amp",
                "\\",
                "|",
                "|a",
                "\n",
                " \n",
                "a\n",
                "[a]: b\n",
                "[a]: b 'c\n",
                "x  \n",
                "***",
                "~~~\n",
                "<div>\n",
                "=\n",
                "-\n",
                "\t",
                "+ ",
                "[^a",
                "\u0000")) {
            evil.add(part.repeat(SIZE / part.length()));
        }
        int half = SIZE / 2;
        evil.add("[".repeat(half) + "a" + "]".repeat(half));
        evil.add("![".repeat(half / 2) + "a" + "](b)".repeat(half / 4));
        evil.add("*a **a ".repeat(half / 7) + "b" + " a** a*".repeat(half / 7));
        evil.add("> ".repeat(half / 2) + "a\n" + "b\n".repeat(half / 2));
        evil.add("- ".repeat(half / 2) + "a" + "\n".repeat(half));
        evil.add("[a]: /" + "u".repeat(half) + "\n\n" + "[a] ".repeat(half / 4));
        evil.add("|a".repeat(1_000) + "|\n" + "|-".repeat(1_000) + "|\n" + "|\n".repeat(half / 2));
        StringBuilder ticks = new StringBuilder();
        for (int length = 1; ticks.length() < SIZE; length++) {
            ticks.append('e').append("`".repeat(length));
        }
        evil.add(ticks.toString());
        return evil;
    }

    @ParameterizedTest
    @MethodSource("evilMarkdown")
    void no_markdown_keeps_a_thread_busy_or_breaks_it(String text) {
        assertTimeoutPreemptively(
                BUSY_MAX,
                () -> cleaner.ofMarkdown(text),
                () -> text.substring(0, 20) + "… " + text.length() + " characters");
    }

    static List<String> evilHtml() {
        List<String> evil = new ArrayList<>();
        for (String part : List.of(
                "<",
                "<a",
                "<a ",
                "<a b=\"",
                "<a b='",
                "<!--",
                "<?",
                "<!A",
                "<![CDATA[",
                "&",
                "&#",
                "&amp",
                "<div>",
                "</div>",
                "<p><table>",
                "<b><i>",
                "<script>",
                "<style>",
                "<svg>",
                "<table><tr><td>",
                "<a href=x>",
                "<img ",
                "\"",
                "=",
                "</",
                "<p a=b",
                "<ul><li>",
                "-->",
                "]]>",
                "\u0000")) {
            evil.add(part.repeat(SIZE / part.length()));
        }
        return evil;
    }

    @ParameterizedTest
    @MethodSource("evilHtml")
    void no_html_keeps_a_thread_busy_or_breaks_it(String html) {
        assertTimeoutPreemptively(
                BUSY_MAX,
                () -> cleaner.ofHtml(html),
                () -> html.substring(0, 20) + "… " + html.length() + " characters");
    }

    @Test
    void what_swells_is_not_rendered() {
        assertThat(cleaner.ofMarkdown("[a]: /" + "u".repeat(100_000) + "\n\n" + "[a] ".repeat(10_000)))
                .isEmpty();
        assertThat(cleaner.ofMarkdown("[a]: /u\n\n" + "[a] ".repeat(100))).isPresent();
    }
}
