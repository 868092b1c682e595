/** WordPress over its REST API, which can be asked. */
@NullMarked
package dev.postonce.dispatch.wordpress;

import org.jspecify.annotations.NullMarked;
