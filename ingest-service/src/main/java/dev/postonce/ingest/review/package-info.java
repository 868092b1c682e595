/** The weekly look at what went wrong and was left so. */
@NullMarked
package dev.postonce.ingest.review;

import org.jspecify.annotations.NullMarked;
