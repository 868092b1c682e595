/** One post at one platform: what it should show, what it shows, what to do next. */
@NullMarked
package dev.postonce.dispatch.target;

import org.jspecify.annotations.NullMarked;
