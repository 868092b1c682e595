/** {@code postonce check}: what an editor would want to know before publishing. */
@NullMarked
package dev.postonce.standalone.check;

import org.jspecify.annotations.NullMarked;
