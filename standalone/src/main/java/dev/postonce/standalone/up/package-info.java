/** Starting and stopping the whole stack. */
@NullMarked
package dev.postonce.standalone.up;

import org.jspecify.annotations.NullMarked;
