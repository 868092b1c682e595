/** What is counted. */
@NullMarked
package dev.postonce.index.meter;

import org.jspecify.annotations.NullMarked;
