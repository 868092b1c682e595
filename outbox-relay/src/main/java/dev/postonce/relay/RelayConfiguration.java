package dev.postonce.relay;

import dev.postonce.messaging.KafkaAccess;
import dev.postonce.relay.publish.JdbcParking;
import dev.postonce.relay.publish.Parking;
import dev.postonce.relay.source.JdbcBaseline;
import dev.postonce.relay.source.JdbcObservations;
import dev.postonce.relay.source.JdbcSources;
import dev.postonce.relay.source.KafkaIdentity;
import dev.postonce.relay.source.OutboxReader;
import dev.postonce.relay.source.PgConnections;
import dev.postonce.relay.source.SourceLeader;
import dev.postonce.relay.wal.DebeziumOutboxReader;
import dev.postonce.relay.wal.DebeziumSettings;
import dev.postonce.runtime.ClockWatch;
import dev.postonce.runtime.Secret;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The whole relay, bean by bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RelayProperties.class)
class RelayConfiguration {

    private static final int BASELINE_ROWS_MAX = 500;
    private static final long BASELINE_BYTES_MAX = 8L * 1024 * 1024;

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    TransactionTemplate transactions(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }

    @Bean
    PgConnections connections(Environment environment) {
        return new PgConnections(
                environment.getRequiredProperty("spring.datasource.url"),
                environment.getRequiredProperty("spring.datasource.username"),
                Secret.of(environment.getProperty("spring.datasource.password", "")));
    }

    @Bean
    static KafkaAccess kafkaAccess(Environment environment) {
        return KafkaAccess.of(
                environment.getRequiredProperty("postonce.kafka.bootstrap"),
                environment.getProperty("postonce.kafka.client-config", ""));
    }

    @Bean
    KafkaIdentity kafkaIdentity(KafkaAccess access) {
        return new KafkaIdentity(access);
    }

    @Bean
    SourceLeader.Database database(
            JdbcTemplate jdbc, TransactionTemplate transactions, PgConnections connections, KafkaIdentity kafka) {
        JdbcClient client = JdbcClient.create(jdbc);
        return new SourceLeader.Database(
                new JdbcSources(client, transactions),
                new JdbcObservations(client, kafka),
                new JdbcBaseline(jdbc, transactions, BASELINE_ROWS_MAX, BASELINE_BYTES_MAX),
                connections);
    }

    @Bean
    OutboxReader outboxReader(PgConnections connections) {
        return new DebeziumOutboxReader(connections, DebeziumSettings.STANDARD);
    }

    @Bean
    Parking parking(JdbcTemplate jdbc) {
        return new JdbcParking(jdbc);
    }

    @Bean
    RelaySources relaySources(
            RelayProperties properties,
            KafkaAccess access,
            SourceLeader.Database database,
            OutboxReader reader,
            Parking parking,
            MeterRegistry meters) {
        return new RelaySources(
                properties.outboxSources(),
                properties.settings(),
                database,
                reader,
                new RelaySources.Target(access, properties.deliveryTimeout(), parking),
                new RelaySources.Gauges(meters, clock()));
    }

    @Bean(destroyMethod = "close")
    ClockWatch clockWatch(InstantSource clock, MeterRegistry meters, KafkaIdentity kafka, RelaySources sources) {
        Counter seen = meters.counter("postonce.clock.set.back");
        return new ClockWatch(clock, List.<ClockWatch.Listener>of(seen::increment, kafka, sources)).start();
    }

    @Bean
    RelayHealth relayHealthIndicator(RelaySources sources) {
        return new RelayHealth(sources::statuses);
    }
}
