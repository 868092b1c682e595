package dev.postonce.ingest.callback;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.runtime.Secret;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Lanes and workers on a real PostgreSQL, against a real HTTP endpoint; no Kafka. One database for all tests that stand
 * on it; it ends with the JVM.
 */
abstract class DeliveryBench {

    static final String SECRET = "whsec_"
            + Base64.getEncoder().encodeToString("0123456789abcdef01234567".getBytes(StandardCharsets.US_ASCII));
    static final String NEXT_SECRET = "whsec_"
            + Base64.getEncoder()
                    .encodeToString("the next secret, 32 bytes long..".getBytes(StandardCharsets.US_ASCII));
    static final String SECRETS_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    static final Duration LEASE = Duration.ofSeconds(2);
    static final int ATTEMPTS = 4;

    static HikariDataSource pool;
    static JdbcTemplate jdbc;
    static TransactionTemplate transaction;
    static JdbcCallbackSecrets secrets;
    static SafeHttpClient http;
    static CallbackSender sender;

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final RetrySchedule schedule = new RetrySchedule(List.of(Duration.ZERO, ms(60), ms(60), ms(60)), new Random(5));
    final JdbcCallbackWriter writer = new JdbcCallbackWriter(jdbc, Duration.ZERO);
    final List<DeliveryLoop> loops = new ArrayList<>();
    final TestTasks tasks = new TestTasks(jdbc);
    CallbackSink sink;

    @BeforeAll
    static synchronized void database() {
        if (pool != null) {
            return;
        }
        TestDatabase database = TestInfra.newDatabase();
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername("postonce_ingest");
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(24);
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration/ingest")
                .schemas("ingest")
                .defaultSchema("ingest")
                .createSchemas(false)
                .load()
                .migrate();
        jdbc = new JdbcTemplate(pool);
        transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        secrets = new JdbcCallbackSecrets(
                JdbcClient.create(pool), transaction, SecretCipher.of(SECRETS_KEY, new SecureRandom()));
        http = new SafeHttpClient(new OutgoingPolicy(
                true, true, Set.of(), Set.of(), Duration.ofSeconds(1), Duration.ofMillis(600), 64 * 1024));
        sender = new HttpCallbackSender(http, secrets, InstantSource.system());
    }

    @BeforeEach
    void tenants() {
        sink = new CallbackSink();
        jdbc.execute("truncate ingest.tenant, ingest.task cascade");
        for (String tenant : List.of("dev", "mall")) {
            tasks.tenant(tenant);
            secrets.set(tenant, Secret.of(SECRET), Duration.ZERO);
        }
    }

    @AfterEach
    void stop() {
        loops.forEach(DeliveryLoop::stop);
        sink.close();
    }

    static Duration ms(long ms) {
        return Duration.ofMillis(ms);
    }

    JdbcLanes lanes(String owner) {
        return new JdbcLanes(JdbcClient.create(pool), transaction, owner, LEASE);
    }

    DeliveryLoop loop(int threads, int perTenant) {
        CallbackSettings settings = new CallbackSettings(
                List.of(Duration.ZERO),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                ms(30),
                threads,
                perTenant,
                Set.of());
        JdbcLanes lanes = lanes("loop-" + loops.size());
        DeliveryLoop loop = new DeliveryLoop(lanes, new LaneWorker(lanes, sender, schedule, meters), settings, meters);
        loops.add(loop);
        loop.start();
        return loop;
    }

    void tell(String tenant, String externalId, String platform, String status, long dispatchVersion) {
        NewCallback callback = callback(tenant, externalId, platform, status, dispatchVersion);
        transaction.executeWithoutResult(tx -> writer.append(List.of(callback)));
    }

    static NewCallback callback(
            String tenant, String externalId, String platform, String status, long dispatchVersion) {
        return new NewCallback(
                tenant,
                externalId,
                "双11",
                platform,
                status,
                null,
                null,
                1,
                dispatchVersion,
                Instant.parse("2026-11-11T00:00:00Z"));
    }

    static String idOf(String externalId, String platform, long dispatchVersion) {
        return callback("dev", externalId, platform, "", dispatchVersion).webhookId();
    }

    static long count(String state) {
        Long count = jdbc.queryForObject("select count(*) from ingest.callback where state = ?", Long.class, state);
        return count == null ? 0 : count;
    }

    double outcomes(String outcome) {
        return meters.counter("postonce.callback.deliveries", "outcome", outcome)
                .count();
    }

    static Map<String, Object> row(String externalId) {
        return jdbc.queryForMap(
                "select * from ingest.callback where external_id = ? order by sequence limit 1", externalId);
    }
}
