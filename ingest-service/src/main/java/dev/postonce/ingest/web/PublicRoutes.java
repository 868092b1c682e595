package dev.postonce.ingest.web;

import java.util.Set;
import java.util.regex.Pattern;

/** What is answered without an API key, under {@code /v1}; everything else there needs one. */
final class PublicRoutes {

    private static final Set<String> METHODS = Set.of("GET", "HEAD");
    // Search engines bring no key.
    private static final Pattern SITEMAP = Pattern.compile("/v1/sites/[^/]+/sitemap\\.xml");

    private PublicRoutes() {}

    /** @param path decoded, as the routes see it */
    static boolean has(String method, String path) {
        return METHODS.contains(method) && SITEMAP.matcher(path).matches();
    }
}
