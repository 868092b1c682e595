package dev.postonce.index.entry;

import dev.postonce.index.meter.IndexMeters;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.flywaydb.core.Flyway;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The entry writer on a real database, without Kafka. */
public final class EntryFixture {

    public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    public final IndexMeters meters = new IndexMeters(registry);
    public final JdbcTemplate jdbc;
    public final JdbcEntries entries;
    private final DataSource source;

    public EntryFixture() {
        TestDatabase database = TestInfra.newDatabase();
        source = database.as("postonce_index");
        Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration/index")
                .schemas("index")
                .defaultSchema("index")
                .createSchemas(false)
                .load()
                .migrate();
        jdbc = new JdbcTemplate(source);
        entries = new JdbcEntries(jdbc);
    }

    public EntryWriter newWriter() {
        return new EntryWriter(
                new TransactionTemplate(new DataSourceTransactionManager(source)),
                entries,
                new ParkedRecords(jdbc, "index", "postonce-index"),
                Map.of(
                        EntryWriter.CONSUMER_TASK, new JdbcInbox(jdbc, "index", EntryWriter.CONSUMER_TASK),
                        EntryWriter.CONSUMER_GROUP, new JdbcInbox(jdbc, "index", EntryWriter.CONSUMER_GROUP),
                        EntryWriter.CONSUMER_KEY, new JdbcInbox(jdbc, "index", EntryWriter.CONSUMER_KEY)),
                meters,
                InstantSource.system());
    }

    /** As the container does: a batch that failed is taken again. */
    public static void writeUntilDone(EntryWriter writer, List<ConsumerRecord<byte[], byte[]>> batch) {
        for (int attempt = 0; ; attempt++) {
            try {
                writer.write(batch);
                return;
            } catch (DataAccessException e) {
                if (attempt == 200) {
                    throw e;
                }
            }
        }
    }

    public double counted(String decision) {
        return registry.counter("postonce.index.events", "decision", decision).count();
    }

    public double alarms(String alarm) {
        return registry.counter("postonce.index.alarms", "alarm", alarm).count();
    }
}
