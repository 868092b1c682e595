/** One outbox table: who may relay it, whether its stream is unbroken, and the way from first start to streaming. */
@NullMarked
package dev.postonce.relay.source;

import org.jspecify.annotations.NullMarked;
