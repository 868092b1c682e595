/** Submissions that come as signed records of a topic instead of requests. */
@NullMarked
package dev.postonce.ingest.intake;

import org.jspecify.annotations.NullMarked;
