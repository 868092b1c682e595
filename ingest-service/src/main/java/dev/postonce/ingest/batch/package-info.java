/** Many submissions in one request, each with a key and an answer of its own. */
@NullMarked
package dev.postonce.ingest.batch;

import org.jspecify.annotations.NullMarked;
