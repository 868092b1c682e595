package dev.postonce.ingest.site;

import dev.postonce.ingest.site.Entry.Alternate;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Writes sitemaps and sitemap indexes (sitemaps.org, protocol 0.9), an element at a time. */
final class SitemapXml {

    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    private static final String NAMESPACE = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

    private final Writer out;

    SitemapXml(Writer out) {
        this.out = out;
    }

    void beginUrls() throws IOException {
        out.write(HEAD + "<urlset " + NAMESPACE + " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n");
    }

    void url(Site site, Entry entry) throws IOException {
        out.write("<url><loc>" + escaped(site.urlOf(entry.slug(), entry.language())) + "</loc><lastmod>"
                + time(entry.changedAt()) + "</lastmod>");
        for (Alternate alternate : entry.alternates()) {
            out.write("<xhtml:link rel=\"alternate\" hreflang=\"" + escaped(alternate.language()) + "\" href=\""
                    + escaped(site.urlOf(alternate.slug(), alternate.language())) + "\"/>");
        }
        out.write("</url>\n");
    }

    void endUrls() throws IOException {
        out.write("</urlset>\n");
    }

    void beginIndex() throws IOException {
        out.write(HEAD + "<sitemapindex " + NAMESPACE + ">\n");
    }

    void sitemap(String url, @Nullable Instant changedAt) throws IOException {
        out.write("<sitemap><loc>" + escaped(url) + "</loc>"
                + (changedAt == null ? "" : "<lastmod>" + time(changedAt) + "</lastmod>") + "</sitemap>\n");
    }

    void endIndex() throws IOException {
        out.write("</sitemapindex>\n");
    }

    private static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&apos;");
    }
}
