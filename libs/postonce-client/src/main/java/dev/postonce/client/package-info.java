/** A small client for submissions that retries what may be retried, and nothing else. */
@NullMarked
package dev.postonce.client;

import org.jspecify.annotations.NullMarked;
