package dev.postonce.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.JdbcParking;
import dev.postonce.relay.source.JdbcBaseline;
import dev.postonce.relay.source.JdbcObservations;
import dev.postonce.relay.source.JdbcSources;
import dev.postonce.relay.source.KafkaIdentity;
import dev.postonce.relay.source.PgConnections;
import dev.postonce.relay.source.RelaySettings;
import dev.postonce.relay.source.SourceLeader;
import dev.postonce.relay.source.SourceStatus;
import dev.postonce.relay.wal.DebeziumOutboxReader;
import dev.postonce.relay.wal.DebeziumSettings;
import dev.postonce.runtime.Secret;
import dev.postonce.testinfra.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A relay of one source, wired as the configuration class does it, with short times. */
final class TestRelay implements AutoCloseable {

    static final Duration CLAIM_TTL = Duration.ofSeconds(2);

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final SourceStatus status;
    private final RelaySources sources;
    private final KafkaIdentity kafka;

    TestRelay(OutboxFixture fixture, String bootstrap) {
        this(fixture.source, fixture.database, fixture.relayPool, bootstrap, Map.of());
    }

    TestRelay(
            OutboxSource source,
            TestDatabase database,
            HikariDataSource pool,
            String bootstrap,
            Map<String, String> rebaseline) {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        JdbcClient client = JdbcClient.create(jdbc);
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(pool));
        PgConnections connections = new PgConnections(database.url(), "postonce_relay", Secret.of(database.password()));
        kafka = new KafkaIdentity(KafkaAccess.plain(bootstrap));
        sources = new RelaySources(
                List.of(source),
                new RelaySettings(
                        "test-" + ProcessHandle.current().pid(),
                        CLAIM_TTL,
                        Duration.ofSeconds(1),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1),
                        rebaseline),
                new SourceLeader.Database(
                        new JdbcSources(client, transactions),
                        new JdbcObservations(client, kafka),
                        new JdbcBaseline(jdbc, transactions, 50, 1_000_000),
                        connections),
                new DebeziumOutboxReader(
                        connections,
                        new DebeziumSettings(512, 4_000_000, Duration.ofMillis(500), Duration.ofMillis(50))),
                new RelaySources.Target(KafkaAccess.plain(bootstrap), Duration.ofSeconds(3), new JdbcParking(jdbc)),
                new RelaySources.Gauges(meters, InstantSource.system()));
        status = sources.statuses().get(0);
    }

    TestRelay start() {
        sources.start();
        return this;
    }

    /** As the configuration's watch tells it. */
    void clockSetBack() {
        kafka.clockSetBack();
        sources.clockSetBack();
    }

    RelayHealth health() {
        return new RelayHealth(sources::statuses);
    }

    @Override
    public void close() {
        sources.stop();
        kafka.close();
    }
}
