package dev.postonce.ingest.site;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An article in a sitemap.
 *
 * @param alternates the same article in each language that is listed, itself included; empty where it stands alone
 */
record Entry(String slug, @Nullable String language, Instant changedAt, List<Alternate> alternates) {

    record Alternate(String slug, String language) {}
}
