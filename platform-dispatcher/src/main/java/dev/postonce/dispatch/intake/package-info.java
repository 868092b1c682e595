/** From the task topic to the targets. */
@NullMarked
package dev.postonce.dispatch.intake;

import org.jspecify.annotations.NullMarked;
