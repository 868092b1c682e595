/** The Lucene replica of one instance. */
@NullMarked
package dev.postonce.index.replica;

import org.jspecify.annotations.NullMarked;
