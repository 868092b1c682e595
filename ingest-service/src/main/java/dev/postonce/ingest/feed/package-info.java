/** Following a topic: from the beginning once, never from the end, and saying so where it cannot. */
@NullMarked
package dev.postonce.ingest.feed;

import org.jspecify.annotations.NullMarked;
