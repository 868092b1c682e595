/** What the rest speaks of: an outbox table and its rows. */
@NullMarked
package dev.postonce.relay.outbox;

import org.jspecify.annotations.NullMarked;
