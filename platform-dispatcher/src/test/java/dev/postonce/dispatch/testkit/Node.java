package dev.postonce.dispatch.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.account.AccountsFile;
import dev.postonce.dispatch.account.CredentialReader;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.intake.TargetPlanner;
import dev.postonce.dispatch.intake.TaskConsumer;
import dev.postonce.dispatch.intake.TaskIntake;
import dev.postonce.dispatch.ledger.ClaimLoop;
import dev.postonce.dispatch.ledger.DispatchMeters;
import dev.postonce.dispatch.ledger.Dispatcher;
import dev.postonce.dispatch.ledger.DispatcherFactory;
import dev.postonce.dispatch.ledger.JdbcInstances;
import dev.postonce.dispatch.ledger.LedgerSettings;
import dev.postonce.dispatch.ledger.Platforms;
import dev.postonce.dispatch.ledger.ProcessIdentity;
import dev.postonce.dispatch.target.JdbcTargets;
import dev.postonce.dispatch.target.JdbcTasks;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.dispatch.testkit.Tasks.Sample;
import dev.postonce.dispatch.webhook.WebhookConnector;
import dev.postonce.dispatch.wordpress.WordPressConnector;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.OutboxAppender;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.testinfra.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A dispatcher without Spring and Kafka: the same parts, wired by hand, with short times. */
public final class Node implements AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofMillis(900);
    public static final Duration SETTLING = Duration.ofMillis(1500);

    public final UUID instanceId = Ids.random().next();
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final JdbcTemplate jdbc;
    private final HikariDataSource pool;
    private final SafeHttpClient http;
    private final Dispatcher dispatcher;
    private final TaskIntake intake;
    private final TestDatabase database;

    /** Wraps or replaces connectors. */
    public interface ConnectorPlan {
        List<Connector> apply(List<Connector> standard);
    }

    public static void migrate(TestDatabase database) {
        Flyway.configure()
                .dataSource(database.as("postonce_dispatch"))
                .schemas("dispatch")
                .defaultSchema("dispatch")
                .createSchemas(false)
                .locations("classpath:db/migration/dispatch")
                .load()
                .migrate();
    }

    public Node(TestDatabase database, String accountsJson) {
        this(
                database,
                AccountsFile.parse(accountsJson, new CredentialReader(name -> null, true)),
                standard -> standard);
    }

    public Node(TestDatabase database, AccountBook accounts, ConnectorPlan plan) {
        this.database = database;
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.as("postonce_dispatch"));
        config.setMaximumPoolSize(12);
        config.setConnectionTimeout(5_000);
        this.pool = new HikariDataSource(config);
        this.jdbc = new JdbcTemplate(pool);
        this.http = new SafeHttpClient(OutgoingPolicy.loopbackToo(TIMEOUT, 4 << 20));
        List<Connector> standard = new ArrayList<>();
        standard.add(new WordPressConnector(http, Clock.systemUTC(), SETTLING));
        standard.add(new WebhookConnector(http, Clock.systemUTC(), Duration.ofHours(1)));
        Platforms platforms = new Platforms(plan.apply(standard), accounts);
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        JdbcTasks tasks = new JdbcTasks(jdbc);
        JdbcTargets targets = new JdbcTargets(jdbc, new OutboxAppender(jdbc, "dispatch"), Ids.random());
        DispatchMeters dispatchMeters = new DispatchMeters(meters);
        this.dispatcher = DispatcherFactory.create(
                new DispatcherFactory.Database(jdbc, transactions, targets, tasks),
                platforms,
                new JdbcInstances(jdbc, ProcessIdentity.ofThisProcess(), instanceId, "node"),
                behaviour(),
                new DispatcherFactory.Ambience(Ids.random(), Clock.systemUTC(), new Random(instanceId.hashCode())),
                dispatchMeters);
        this.intake = new TaskIntake(
                transactions,
                new JdbcInbox(jdbc, "dispatch", TaskConsumer.GROUP),
                new ParkedRecords(jdbc, "dispatch", TaskConsumer.GROUP),
                new TargetPlanner(tasks, targets, platforms),
                dispatchMeters,
                dispatcher::wake);
    }

    private static DispatcherFactory.Behaviour behaviour() {
        return new DispatcherFactory.Behaviour(
                new LedgerSettings(
                        Duration.ofMillis(2400),
                        Duration.ofMillis(300),
                        Duration.ofMillis(1500),
                        Duration.ofMillis(200),
                        Duration.ofMillis(700),
                        Duration.ofSeconds(60)),
                new ClaimLoop.Bounds(6, 4, Duration.ofMillis(100), Duration.ofSeconds(8)),
                new RetryDelays(Duration.ofMillis(100), Duration.ofMillis(800)),
                Duration.ofMillis(150),
                30);
    }

    public Node start() {
        dispatcher.start();
        return this;
    }

    public void submit(Sample... samples) {
        intake.accept(List.of(samples).stream().map(Sample::toRecord).toList());
    }

    public TaskIntake intake() {
        return intake;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    public TargetState state(String externalId, String platform) {
        return TargetState.of(column("state", externalId, platform)).orElseThrow();
    }

    public String column(String column, String externalId, String platform) {
        return jdbc.queryForObject(
                "select " + column + "::text from dispatch.target where external_id = ? and platform = ?",
                String.class,
                externalId,
                platform);
    }

    public long count(String sql, Object... arguments) {
        Long value = jdbc.queryForObject(sql, Long.class, arguments);
        return value == null ? 0 : value;
    }

    /** From now on nothing of this node reaches the database. */
    public void cutOff() {
        pool.close();
    }

    /** As if the process had been killed: nothing more is recorded; its supervisor says that it is gone. */
    public void crash() {
        cutOff();
        dispatcher.stop();
        http.close();
        database.execute("update dispatch.instance set ended_at = clock_timestamp(), ended_how = 'supervisor'"
                + " where instance_id = '" + instanceId + "' and ended_at is null");
    }

    @Override
    public void close() {
        if (!pool.isClosed()) {
            dispatcher.stop();
            http.close();
            pool.close();
        }
    }
}
