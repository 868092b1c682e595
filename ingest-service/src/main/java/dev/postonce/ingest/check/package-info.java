/** The check before publishing: what would be refused, and what is unwise. It changes nothing. */
@NullMarked
package dev.postonce.ingest.check;

import org.jspecify.annotations.NullMarked;
