/** The index's truth in PostgreSQL, written by the shared consumer group. */
@NullMarked
package dev.postonce.index.entry;

import org.jspecify.annotations.NullMarked;
