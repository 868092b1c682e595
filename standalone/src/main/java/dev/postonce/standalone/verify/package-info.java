/** {@code postonce verify}: reads the running system, changes nothing, and tells at which keys an invariant is broken. */
@NullMarked
package dev.postonce.standalone.verify;

import org.jspecify.annotations.NullMarked;
