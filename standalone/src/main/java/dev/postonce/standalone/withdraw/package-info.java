/** {@code postonce withdraw} and {@code postonce restore}. */
@NullMarked
package dev.postonce.standalone.withdraw;

import org.jspecify.annotations.NullMarked;
