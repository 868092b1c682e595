/** What every route shares: reading a request, refusing it, logging it. */
@NullMarked
package dev.postonce.ingest.web;

import org.jspecify.annotations.NullMarked;
