/** A WordPress site's posts over REST, as documented and as measured on a real one. */
@NullMarked
package dev.postonce.sandbox.wordpress;

import org.jspecify.annotations.NullMarked;
