/** The search over HTTP. */
@NullMarked
package dev.postonce.index.search;

import org.jspecify.annotations.NullMarked;
