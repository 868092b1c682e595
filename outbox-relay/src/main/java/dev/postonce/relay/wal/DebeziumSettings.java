package dev.postonce.relay.wal;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.PgConnections;
import java.time.Duration;
import java.util.Properties;

/**
 * The engine's properties.
 *
 * @param batchRowsMax rows that are handed over at once
 * @param queueBytesMax what the engine holds in memory between the log and the publisher
 * @param heartbeat how often an idle outbox still moves its slot, so that a busy database can recycle its log
 * @param positionEvery the shortest time between two stored positions under load; what lies between is sent again
 *     after a crash
 */
public record DebeziumSettings(int batchRowsMax, long queueBytesMax, Duration heartbeat, Duration positionEvery) {

    public static final DebeziumSettings STANDARD =
            new DebeziumSettings(1_024, 24L * 1024 * 1024, Duration.ofSeconds(2), Duration.ofMillis(200));

    Properties of(OutboxSource source, PgConnections database, String reading) {
        Properties p = new Properties();
        // Metrics beans are registered under the prefix, and a second engine of the same prefix waits for the first.
        p.setProperty("name", reading);
        p.setProperty("topic.prefix", reading);
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", source.slot());
        p.setProperty("slot.max.retries", "1");
        p.setProperty("slot.retry.delay.ms", "500");
        p.setProperty("publication.name", source.publication());
        p.setProperty("publication.autocreate.mode", "disabled");
        p.setProperty("table.include.list", source.schema() + ".outbox_event");
        // No converter knows xid8, and the stream does not need it.
        p.setProperty("column.exclude.list", source.schema() + ".outbox_event.xid");
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("tombstones.on.delete", "false");
        p.setProperty("skipped.operations", "u,d,t");
        // The engine spins through the last millisecond of each interval, so a shorter one costs an idle relay dearly.
        p.setProperty("poll.interval.ms", "50");
        p.setProperty("max.batch.size", Integer.toString(batchRowsMax));
        p.setProperty("max.queue.size", Integer.toString(batchRowsMax * 4));
        p.setProperty("max.queue.size.in.bytes", Long.toString(queueBytesMax));
        heartbeat(p);
        p.setProperty("offset.storage", PositionStore.class.getName());
        p.setProperty(PositionStore.KEY_PROPERTY, reading);
        p.setProperty("offset.flush.interval.ms", Long.toString(positionEvery.toMillis()));
        // Whatever goes wrong ends the engine: a new one starts behind new checks, never behind this one's back.
        p.setProperty("errors.max.retries", "0");
        p.setProperty("internal.task.management.timeout.ms", "30000");
        database(p, database);
        return p;
    }

    /**
     * The slot is confirmed by the connector only, after the position was stored, so a slot that stands ahead of the
     * stored position was moved by someone else. (With {@code connector_and_driver} the driver moves it by itself, and
     * that could not be told apart.) What makes an idle outbox advance is a message in the log that costs no row.
     */
    private void heartbeat(Properties p) {
        p.setProperty("lsn.flush.mode", "connector");
        p.setProperty("heartbeat.interval.ms", Long.toString(heartbeat.toMillis()));
        p.setProperty("heartbeat.action.query", "select pg_logical_emit_message(false, 'postonce-relay', '')");
        // The messages of others, which can be large, end at the connector; they still move the position.
        p.setProperty("message.prefix.exclude.list", ".*");
        p.setProperty("status.update.interval.ms", "5000");
    }

    private static void database(Properties p, PgConnections database) {
        Properties parts = database.parts();
        p.setProperty("database.hostname", parts.getProperty("PGHOST", "localhost"));
        p.setProperty("database.port", parts.getProperty("PGPORT", "5432"));
        p.setProperty("database.dbname", parts.getProperty("PGDBNAME", database.user()));
        p.setProperty("database.user", database.user());
        p.setProperty("database.password", database.password().reveal());
        for (String name : parts.stringPropertyNames()) {
            if (name.startsWith("ssl")) {
                p.setProperty("database." + name, parts.getProperty(name));
            }
        }
    }
}
