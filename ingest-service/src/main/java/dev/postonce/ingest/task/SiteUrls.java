package dev.postonce.ingest.task;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/** Where a site shows an article. Built segment by segment; each is encoded once. */
public final class SiteUrls {

    private SiteUrls() {}

    /**
     * The address by the site's pattern; without a site, a slug, or a language that the pattern asks for: the
     * canonical URL.
     */
    public static @Nullable String of(
            @Nullable String baseUrl,
            @Nullable String pattern,
            @Nullable String language,
            @Nullable String slug,
            @Nullable String canonicalUrl) {
        if (baseUrl == null
                || pattern == null
                || slug == null
                || (language == null && pattern.contains("{language}"))) {
            return canonicalUrl;
        }
        String path = pattern.replace("{language}", language == null ? "" : encoded(language))
                .replace("{slug}", encoded(slug));
        String base = baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
        return base + (path.startsWith("/") ? path : "/" + path);
    }

    private static String encoded(String segment) {
        return UriUtils.encodePathSegment(segment, StandardCharsets.UTF_8);
    }
}
