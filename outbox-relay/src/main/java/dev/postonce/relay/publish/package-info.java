/** Sending rows to Kafka: in order, all acknowledged or parked. */
@NullMarked
package dev.postonce.relay.publish;

import org.jspecify.annotations.NullMarked;
