package dev.postonce.ingest.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCleanerTest {

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
}
