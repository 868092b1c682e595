package dev.postonce.index;

import dev.postonce.index.access.ApiKeys;
import dev.postonce.index.access.JdbcApiKeys;
import dev.postonce.index.entry.EntryWriter;
import dev.postonce.index.entry.InboxRetention;
import dev.postonce.index.entry.JdbcEntries;
import dev.postonce.index.entry.JdbcStartPositions;
import dev.postonce.index.entry.KafkaEntryIntake;
import dev.postonce.index.entry.KafkaEntryListener;
import dev.postonce.index.entry.KafkaStartPositions;
import dev.postonce.index.event.KafkaTopics;
import dev.postonce.index.meter.EventProgress;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.problem.ProblemAnswers;
import dev.postonce.index.problem.RequestIdFilter;
import dev.postonce.index.replica.KafkaReplicaReader;
import dev.postonce.index.replica.Replica;
import dev.postonce.index.replica.ReplicaSeed;
import dev.postonce.index.search.SearchController;
import dev.postonce.index.search.Searches;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.KafkaAccess;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.runtime.ClockWatch;
import dev.postonce.runtime.Ids;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.admin.Admin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every bean of the service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IndexSettings.class)
@Import(ProblemAnswers.class)
class IndexConfiguration {

    private static final String SCHEMA = "index";
    private static final int TRANSACTION_TIMEOUT_S = 30;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    Ids ids() {
        return Ids.random();
    }

    @Bean
    IndexMeters indexMeters(MeterRegistry registry) {
        return new IndexMeters(registry);
    }

    @Bean(destroyMethod = "shutdownNow")
    ScheduledExecutorService indexTimer() {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "index-timer");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Bean
    KafkaConsumers kafkaConsumers(
            IndexSettings settings,
            KafkaProperties kafka,
            @Value("${postonce.kafka.client-config:}") String clientConfig) {
        return new KafkaConsumers(
                settings, kafka, KafkaAccess.of(String.join(",", kafka.getBootstrapServers()), clientConfig));
    }

    @Bean(destroyMethod = "close")
    KafkaTopics kafkaTopics(KafkaConsumers consumers) {
        return new KafkaTopics(() -> Admin.create(consumers.ofAdmin()));
    }

    @Bean(destroyMethod = "close")
    ClockWatch clockWatch(
            Clock clock,
            MeterRegistry registry,
            KafkaTopics topics,
            KafkaEntryIntake entries,
            KafkaReplicaReader replica) {
        Counter seen = registry.counter("postonce.clock.set.back");
        return new ClockWatch(clock, List.<ClockWatch.Listener>of(seen::increment, topics, entries, replica)).start();
    }

    // The entries, written by the shared group.

    @Bean
    JdbcEntries jdbcEntries(JdbcTemplate jdbc) {
        return new JdbcEntries(jdbc);
    }

    @Bean
    EntryWriter entryWriter(
            PlatformTransactionManager transactions,
            JdbcTemplate jdbc,
            JdbcEntries entries,
            IndexSettings settings,
            IndexMeters meters,
            Clock clock) {
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        transaction.setTimeout(TRANSACTION_TIMEOUT_S);
        return new EntryWriter(
                transaction,
                entries,
                new ParkedRecords(jdbc, SCHEMA, settings.group()),
                Map.of(
                        EntryWriter.CONSUMER_TASK, new JdbcInbox(jdbc, SCHEMA, EntryWriter.CONSUMER_TASK),
                        EntryWriter.CONSUMER_GROUP, new JdbcInbox(jdbc, SCHEMA, EntryWriter.CONSUMER_GROUP),
                        EntryWriter.CONSUMER_KEY, new JdbcInbox(jdbc, SCHEMA, EntryWriter.CONSUMER_KEY)),
                meters,
                clock);
    }

    @Bean
    JdbcStartPositions jdbcStartPositions(JdbcClient jdbc, IndexSettings settings) {
        return new JdbcStartPositions(jdbc, settings.group());
    }

    @Bean
    KafkaStartPositions kafkaStartPositions(JdbcStartPositions positions, IndexMeters meters) {
        return new KafkaStartPositions(positions, meters);
    }

    @Bean
    KafkaEntryIntake kafkaEntryIntake(
            KafkaConsumers consumers,
            KafkaTopics topics,
            KafkaStartPositions positions,
            EntryWriter writer,
            ScheduledExecutorService timer,
            IndexMeters meters,
            Clock clock) {
        EventProgress progress = new EventProgress(clock);
        meters.gauges("entry", progress::backlogRecords, progress::lagSeconds);
        return new KafkaEntryIntake(
                topics,
                positions,
                consumers.entryContainer(positions, new KafkaEntryListener(writer, progress)),
                timer,
                meters);
    }

    @Bean
    InboxRetention inboxRetention(JdbcEntries entries, ScheduledExecutorService timer, IndexSettings settings) {
        return new InboxRetention(entries, timer, settings.eventIdsKeptDays());
    }

    // The replica of this instance.

    @Bean
    Replica replica() {
        return new Replica();
    }

    @Bean
    EventProgress replicaProgress(IndexMeters meters, Clock clock) {
        EventProgress progress = new EventProgress(clock);
        meters.gauges("replica", progress::backlogRecords, progress::lagSeconds);
        return progress;
    }

    @Bean
    KafkaReplicaReader kafkaReplicaReader(
            IndexSettings settings,
            KafkaConsumers consumers,
            Replica replica,
            KafkaTopics topics,
            ReplicaSeed seed,
            IndexMeters meters,
            EventProgress replicaProgress) {
        return new KafkaReplicaReader(
                settings.replica(), replica, topics, seed, consumers.ofReplica(), meters, replicaProgress);
    }

    @Bean
    ReplicaSeed replicaSeed(
            JdbcEntries entries, JdbcStartPositions positions, KafkaTopics topics, IndexSettings settings) {
        return new ReplicaSeed(entries, positions, topics, settings.group());
    }

    // The face.

    @Bean
    RequestIdFilter requestIdFilter(Ids ids) {
        return new RequestIdFilter(ids);
    }

    @Bean
    ApiKeys apiKeys(JdbcClient jdbc, IndexSettings settings, Clock clock) {
        return new ApiKeys(new JdbcApiKeys(jdbc), settings.pepper(), settings.keyRemembered(), clock);
    }

    @Bean
    SearchController searchController(
            ApiKeys keys, Replica replica, EventProgress replicaProgress, IndexMeters meters, IndexSettings settings) {
        Searches searches = new Searches(replica, settings.pepper());
        return new SearchController(keys, searches, replica, replicaProgress, meters, settings.instance());
    }

    @Bean
    HealthIndicator replicaHealthIndicator(Replica replica) {
        return IndexHealth.ofReplica(replica);
    }

    @Bean
    HealthIndicator entriesHealthIndicator(KafkaEntryIntake intake, KafkaStartPositions positions) {
        return IndexHealth.ofEntries(intake, positions);
    }
}
