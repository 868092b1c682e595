/** What the ledger asks of a platform, and what a platform may answer. */
@NullMarked
package dev.postonce.dispatch.connector;

import org.jspecify.annotations.NullMarked;
