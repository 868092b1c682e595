/** Reads an outbox from the write-ahead log, by Debezium's embedded engine. */
@NullMarked
package dev.postonce.relay.wal;

import org.jspecify.annotations.NullMarked;
