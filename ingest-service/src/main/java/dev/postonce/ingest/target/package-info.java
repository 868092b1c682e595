/** Follows what the dispatcher says of each target, and decides what upstreams are told. */
@NullMarked
package dev.postonce.ingest.target;

import org.jspecify.annotations.NullMarked;
