/** Tells the upstreams, signed, what became of their targets. */
@NullMarked
package dev.postonce.ingest.callback;

import org.jspecify.annotations.NullMarked;
