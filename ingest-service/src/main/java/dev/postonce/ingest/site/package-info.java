/** A tenant's sites, and the sitemaps by which search engines find their articles. */
@NullMarked
package dev.postonce.ingest.site;

import org.jspecify.annotations.NullMarked;
