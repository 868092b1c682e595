/** What runs, how it is, and how much of what there is. */
@NullMarked
package dev.postonce.standalone.status;

import org.jspecify.annotations.NullMarked;
