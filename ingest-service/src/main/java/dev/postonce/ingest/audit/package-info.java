/** Who asked for what, and what became of it. */
@NullMarked
package dev.postonce.ingest.audit;

import org.jspecify.annotations.NullMarked;
