package dev.postonce.dispatch;

import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.account.AccountsFile;
import dev.postonce.dispatch.account.CredentialReader;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.intake.JdbcStartOffsets;
import dev.postonce.dispatch.intake.TargetPlanner;
import dev.postonce.dispatch.intake.TaskConsumer;
import dev.postonce.dispatch.intake.TaskIntake;
import dev.postonce.dispatch.ledger.DispatchMeters;
import dev.postonce.dispatch.ledger.Dispatcher;
import dev.postonce.dispatch.ledger.DispatcherFactory;
import dev.postonce.dispatch.ledger.JdbcInstances;
import dev.postonce.dispatch.ledger.Platforms;
import dev.postonce.dispatch.ledger.ProcessIdentity;
import dev.postonce.dispatch.target.JdbcTargets;
import dev.postonce.dispatch.target.JdbcTasks;
import dev.postonce.dispatch.webhook.WebhookConnector;
import dev.postonce.dispatch.wordpress.WordPressConnector;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.messaging.OutboxAppender;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.runtime.ClockWatch;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every bean of the dispatcher. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DispatchSettings.class)
class DispatchConfiguration {

    private static final String SCHEMA = "dispatch";

    /** A list of posts with their contents; see the connectors. */
    private static final int RESPONSE_BYTES_MAX = 8 * 1024 * 1024;

    private static final int TRANSACTION_TIMEOUT_S = 30;

    @Bean
    InstantSource clock() {
        return Clock.systemUTC();
    }

    @Bean
    Ids ids() {
        return Ids.random();
    }

    @Bean
    RandomGenerator randomGenerator() {
        return RandomGenerator.of("L64X128MixRandom");
    }

    @Bean
    TransactionTemplate transactions(PlatformTransactionManager manager) {
        TransactionTemplate transactions = new TransactionTemplate(manager);
        transactions.setTimeout(TRANSACTION_TIMEOUT_S);
        return transactions;
    }

    @Bean
    DispatchMeters meters(MeterRegistry registry) {
        return new DispatchMeters(registry);
    }

    @Bean
    JdbcTasks tasks(JdbcTemplate jdbc) {
        return new JdbcTasks(jdbc);
    }

    @Bean
    JdbcTargets targets(JdbcTemplate jdbc, Ids ids) {
        return new JdbcTargets(jdbc, new OutboxAppender(jdbc, SCHEMA), ids);
    }

    @Bean
    AccountBook accounts(DispatchSettings settings) {
        return settings.accountsFile().isBlank()
                ? AccountsFile.empty()
                : AccountsFile.read(
                        Path.of(settings.accountsFile()),
                        new CredentialReader(System::getenv, settings.allowLoopback()));
    }

    @Bean(destroyMethod = "close")
    SafeHttpClient http(DispatchSettings settings) {
        Duration timeout = Duration.ofMillis(settings.sending().timeoutMs());
        OutgoingPolicy policy = settings.allowLoopback()
                ? OutgoingPolicy.loopbackToo(timeout, RESPONSE_BYTES_MAX)
                : OutgoingPolicy.strict(timeout, RESPONSE_BYTES_MAX);
        return new SafeHttpClient(policy.trusting(settings.trustedHosts()));
    }

    @Bean
    Connector wordPress(SafeHttpClient http, InstantSource clock, DispatchSettings settings) {
        return new WordPressConnector(
                http, clock, Duration.ofMillis(settings.doubt().settlingMs()));
    }

    @Bean
    Connector webhook(SafeHttpClient http, InstantSource clock, DispatchSettings settings) {
        return new WebhookConnector(
                http, clock, Duration.ofMillis(settings.doubt().webhookWindowMs()));
    }

    @Bean
    Platforms platforms(List<Connector> connectors, AccountBook accounts) {
        return new Platforms(connectors, accounts);
    }

    @Bean
    JdbcInstances instances(JdbcTemplate jdbc, Ids ids, DispatchSettings settings) {
        ProcessIdentity self = ProcessIdentity.ofThisProcess();
        String name = settings.instance().isBlank() ? "dispatcher-" + self.pid() : settings.instance();
        return new JdbcInstances(jdbc, self, ids.next(), name);
    }

    @Bean
    DispatcherFactory.Ambience ambience(Ids ids, InstantSource clock, RandomGenerator random) {
        return new DispatcherFactory.Ambience(ids, clock, random);
    }

    @Bean
    DispatcherFactory.Database database(
            JdbcTemplate jdbc, TransactionTemplate transactions, JdbcTargets targets, JdbcTasks tasks) {
        return new DispatcherFactory.Database(jdbc, transactions, targets, tasks);
    }

    @Bean
    Dispatcher dispatcher(
            DispatcherFactory.Database database,
            Platforms platforms,
            JdbcInstances instances,
            DispatchSettings settings,
            DispatcherFactory.Ambience ambience,
            DispatchMeters meters) {
        return DispatcherFactory.create(database, platforms, instances, settings.behaviour(), ambience, meters);
    }

    @Bean
    TaskIntake intake(
            DispatcherFactory.Database database, Platforms platforms, DispatchMeters meters, Dispatcher dispatcher) {
        return new TaskIntake(
                database.transactions(),
                new JdbcInbox(database.jdbc(), SCHEMA, TaskConsumer.GROUP),
                new ParkedRecords(database.jdbc(), SCHEMA, TaskConsumer.GROUP),
                new TargetPlanner(database.tasks(), database.targets(), platforms),
                meters,
                dispatcher::wake);
    }

    @Bean
    JdbcStartOffsets startOffsets(JdbcTemplate jdbc, DispatchMeters meters) {
        return new JdbcStartOffsets(jdbc, TaskConsumer.GROUP, meters);
    }

    @Bean
    TaskConsumer taskConsumer(
            DispatchSettings settings, TaskIntake intake, JdbcStartOffsets offsets, JdbcInstances instances) {
        return new TaskConsumer(
                KafkaAccess.of(settings.kafkaBootstrap(), settings.kafkaClientConfig()),
                "dispatch-" + instances.id(),
                settings.sending().consumers(),
                settings.leases().sessionMs(),
                intake,
                offsets);
    }

    @Bean(destroyMethod = "close")
    ClockWatch clockWatch(InstantSource clock, MeterRegistry registry, TaskConsumer consumer) {
        Counter seen = registry.counter("postonce.clock.set.back");
        return new ClockWatch(clock, List.<ClockWatch.Listener>of(seen::increment, consumer)).start();
    }

    @Bean
    DispatchLifecycle lifecycle(Dispatcher dispatcher, TaskConsumer consumer) {
        return new DispatchLifecycle(dispatcher, consumer);
    }

    @Bean
    DispatchHealth dispatchHealthIndicator(Dispatcher dispatcher, TaskConsumer consumer, JdbcStartOffsets offsets) {
        return new DispatchHealth(dispatcher, consumer, offsets);
    }
}
