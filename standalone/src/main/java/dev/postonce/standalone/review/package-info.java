/** {@code postonce review}: the weekly look at what went wrong and was left so. */
@NullMarked
package dev.postonce.standalone.review;

import org.jspecify.annotations.NullMarked;
