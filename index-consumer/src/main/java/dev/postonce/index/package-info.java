/** The search index: gate, entries, Lucene replica, search. */
@NullMarked
package dev.postonce.index;

import org.jspecify.annotations.NullMarked;
