/** Submissions of articles: one task each, whatever is sent again. */
@NullMarked
package dev.postonce.ingest.task;

import org.jspecify.annotations.NullMarked;
