package dev.postonce.relay.wal;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.OutboxReader;
import dev.postonce.relay.source.PgConnections;
import java.util.concurrent.atomic.AtomicLong;

/** Reads the log through Debezium's embedded engine and {@code pgoutput}, as raw change records. */
public final class DebeziumOutboxReader implements OutboxReader {

    private static final AtomicLong NUMBER = new AtomicLong();

    private final PgConnections database;
    private final DebeziumSettings settings;

    public DebeziumOutboxReader(PgConnections database, DebeziumSettings settings) {
        this.database = database;
        this.settings = settings;
    }

    @Override
    public Reading open(OutboxSource source, Handler handler) {
        String reading = "postonce-relay-" + source.name() + "-" + NUMBER.incrementAndGet();
        return DebeziumReading.start(reading, source, settings.of(source, database, reading), handler);
    }
}
