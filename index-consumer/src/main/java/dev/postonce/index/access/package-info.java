/** Who may ask. */
@NullMarked
package dev.postonce.index.access;

import org.jspecify.annotations.NullMarked;
