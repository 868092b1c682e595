/** {@code postonce submit}: JSON Lines from a file or standard input, by several clients at once. */
@NullMarked
package dev.postonce.standalone.submit;

import org.jspecify.annotations.NullMarked;
