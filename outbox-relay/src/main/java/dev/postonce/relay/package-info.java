/** Publishes the services' outbox tables to Kafka. */
@NullMarked
package dev.postonce.relay;

import org.jspecify.annotations.NullMarked;
