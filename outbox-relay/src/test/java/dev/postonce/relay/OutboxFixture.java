package dev.postonce.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A database with an outbox as ingest-service makes it, the relay's own tables, and topics of this test alone. */
final class OutboxFixture implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long PID = ProcessHandle.current().pid();

    static final String INSERT =
            """
            insert into ingest.outbox_event
              (event_id, topic, record_key, event_type, source, subject, aggregate_version, occurred_at, traceparent,
               data)
            values (?, ?, ?, 'dev.postonce.task.state.v1', '/postonce/ingest', ?, ?, now(), ?, ?)
            """;

    final TestDatabase database;
    final OutboxSource source;
    final String topic;
    final String otherTopic;
    final HikariDataSource relayPool;
    final JdbcTemplate superuser;
    final JdbcTemplate ingest;
    final TransactionTemplate ingestTransaction;
    private final HikariDataSource ingestPool;

    OutboxFixture() {
        String name = "it" + PID + "_" + NUMBER.incrementAndGet();
        database = TestInfra.newDatabase();
        topic = name + ".task";
        otherTopic = name + ".group";
        createTopics();
        ingestPool = pool(database, "postonce_ingest", 8);
        ingest = new JdbcTemplate(ingestPool);
        ingestTransaction = new TransactionTemplate(new DataSourceTransactionManager(ingestPool));
        ingest.execute(
                """
                create table ingest.outbox_event (
                  seq bigint generated always as identity primary key,
                  event_id uuid not null unique,
                  xid xid8 not null default pg_current_xact_id(),
                  topic text not null, record_key text not null, event_type text not null, source text not null,
                  subject text not null, aggregate_version bigint not null check (aggregate_version > 0),
                  occurred_at timestamptz not null, traceparent text, data text not null)
                """);
        ingest.execute("create index outbox_event_xid on ingest.outbox_event (xid)");
        ingest.execute("create index outbox_event_key on ingest.outbox_event (record_key, aggregate_version)");
        ingest.execute("grant select on ingest.outbox_event to postonce_relay");
        createPublication();
        superuser = new JdbcTemplate(database.asSuperuser());
        relayPool = pool(database, "postonce_relay", 6);
        Flyway.configure()
                .dataSource(relayPool)
                .locations("classpath:db/migration/relay")
                .schemas("relay")
                .defaultSchema("relay")
                .createSchemas(false)
                .load()
                .migrate();
        source = new OutboxSource(
                "ingest", "ingest", name + "_slot", "postonce_ingest_outbox", List.of(topic, otherTopic));
    }

    private static HikariDataSource pool(TestDatabase database, String user, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.as(user));
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(5_000);
        return pool;
    }

    void createPublication() {
        ingest.execute("create publication postonce_ingest_outbox for table ingest.outbox_event"
                + " with (publish = 'insert', publish_via_partition_root = true)");
    }

    void createTopics() {
        admin(admin -> admin.createTopics(
                        List.of(new NewTopic(topic, 3, (short) 1), new NewTopic(otherTopic, 1, (short) 1)))
                .all()
                .get());
    }

    interface AdminWork {
        void run(Admin admin) throws Exception;
    }

    static void admin(AdminWork work) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()))) {
            work.run(admin);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** One row in the caller's transaction, or its own. */
    UUID insert(String key, long version, String data) {
        return insert(topic, key, version, data);
    }

    UUID insert(String toTopic, String key, long version, String data) {
        UUID id = UUID.randomUUID();
        ingest.update(
                INSERT,
                id,
                toTopic,
                "t1:" + key,
                key,
                version,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                data);
        return id;
    }

    void inTransaction(Consumer<OutboxFixture> work) {
        ingestTransaction.executeWithoutResult(status -> work.accept(this));
    }

    List<UUID> committedIds() {
        return superuser.queryForList("select event_id from ingest.outbox_event order by seq", UUID.class);
    }

    @Override
    public void close() {
        superuser.query(
                "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = ? and active",
                row -> {},
                source.slot());
        ingestPool.close();
        relayPool.close();
        org.awaitility.Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> superuser.query(
                        "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ?",
                        row -> {},
                        source.slot()));
    }
}
