/** Outbox, inbox and Kafka codec; usable alone by other teams. */
@NullMarked
package dev.postonce.messaging;

import org.jspecify.annotations.NullMarked;
