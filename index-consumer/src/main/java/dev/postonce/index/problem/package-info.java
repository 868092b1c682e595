/** Errors over HTTP, as RFC 9457 has them. */
@NullMarked
package dev.postonce.index.problem;

import org.jspecify.annotations.NullMarked;
