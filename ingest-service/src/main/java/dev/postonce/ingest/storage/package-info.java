/** The little that all SQL classes share. */
@NullMarked
package dev.postonce.ingest.storage;

import org.jspecify.annotations.NullMarked;
