/** What an Idempotency-Key stands for. */
@NullMarked
package dev.postonce.ingest.request;

import org.jspecify.annotations.NullMarked;
