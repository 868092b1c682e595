package dev.postonce.ingest.site;

import dev.postonce.ingest.task.SiteUrls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A site of a tenant.
 *
 * @param publicId names it to those who have no key; it is random, so that a tenant is not found by guessing
 */
record Site(String tenantId, String site, String publicId, String baseUrl, String urlPattern) {

    /** Whether every address of the site names a language. */
    boolean needsLanguage() {
        return urlPattern.contains("{language}");
    }

    /** Where it shows an article; there is one for each article that {@link JdbcSites} calls listed. */
    String urlOf(String slug, @Nullable String language) {
        return Objects.requireNonNull(
                SiteUrls.of(baseUrl, urlPattern, language, slug, null), "an article without its site's address");
    }

    String sitemapPath() {
        return "/v1/sites/" + publicId + "/sitemap.xml";
    }
}
