package dev.postonce.ingest.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.site.Entry.Alternate;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SitemapXmlTest {

    private static final Site SITE =
            new Site("alpha", "blog", "0".repeat(32), "https://blog.example.com/a&b/", "/{language}/{slug}");

    @Test
    void an_article_is_listed_with_its_time_and_its_other_languages() throws IOException {
        StringWriter out = new StringWriter();
        SitemapXml xml = new SitemapXml(out);
        xml.beginUrls();
        xml.url(
                SITE,
                new Entry(
                        "幂等",
                        "zh",
                        Instant.parse("2026-11-11T00:00:00.5Z"),
                        List.of(new Alternate("once", "en"), new Alternate("幂等", "zh"))));
        xml.endUrls();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
                        <url><loc>https://blog.example.com/a&amp;b/zh/%E5%B9%82%E7%AD%89</loc><lastmod>2026-11-11T00:00:00Z</lastmod>\
                        <xhtml:link rel="alternate" hreflang="en" href="https://blog.example.com/a&amp;b/en/once"/>\
                        <xhtml:link rel="alternate" hreflang="zh" href="https://blog.example.com/a&amp;b/zh/%E5%B9%82%E7%AD%89"/></url>
                        </urlset>
                        """);
    }

    @Test
    void whatever_a_text_holds_the_markup_stays_whole() {
        assertThat(SitemapXml.escaped("<a href='x'>&\"")).isEqualTo("&lt;a href=&apos;x&apos;&gt;&amp;&quot;");
    }
}
