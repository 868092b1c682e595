/** The little that all processes share. A ceiling of 30 classes keeps it little. */
@NullMarked
package dev.postonce.runtime;

import org.jspecify.annotations.NullMarked;
