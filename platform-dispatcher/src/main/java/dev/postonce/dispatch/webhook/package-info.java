/** The signed webhook, which dedupes by its id. */
@NullMarked
package dev.postonce.dispatch.webhook;

import org.jspecify.annotations.NullMarked;
