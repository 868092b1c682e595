/** Makes what an upstream sent safe to hand on. */
@NullMarked
package dev.postonce.ingest.content;

import org.jspecify.annotations.NullMarked;
