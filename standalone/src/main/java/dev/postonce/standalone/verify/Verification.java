package dev.postonce.standalone.verify;

import dev.postonce.invariants.Invariants;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.Coverage;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.FactsCollector;
import dev.postonce.invariants.facts.IndexSink;
import dev.postonce.invariants.facts.Window;
import dev.postonce.runtime.Secret;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads sinks first and the database last, in one snapshot, so that whatever a sink has must be committed: then only
 * what is missing or stale needs a grace, and what is extra or doubled needs none.
 */
public final class Verification {

    private final VerifySources sources;
    private final InstantSource clock;
    private final Consumer<String> progress;
    private final ResourceLevels levels;

    public Verification(VerifySources sources, InstantSource clock, Consumer<String> progress) {
        this(sources, clock, progress, ResourceLevels.none());
    }

    /** @param levels of a system that nobody uses meanwhile */
    public Verification(VerifySources sources, InstantSource clock, Consumer<String> progress, ResourceLevels levels) {
        this.sources = sources;
        this.clock = clock;
        this.progress = progress;
        this.levels = levels;
    }

    /**
     * @param prefix of the aggregate ids to look at; empty for all
     * @throws CouldNotReadException if the database, Kafka or the sandbox cannot be read
     * @throws dev.postonce.invariants.facts.TooManyFactsException if it does not fit into memory
     */
    public Verdict run(String prefix, Duration grace) throws InterruptedException {
        Instant began = clock.instant();
        KeyFilter filter = new KeyFilter(prefix);
        FactsCollector facts = new FactsCollector(Runtime.getRuntime().maxMemory() * 2 / 3 / FactsCollector.FACT_BYTES);
        List<String> notRead = new ArrayList<>();
        List<Meters> meters = meters(filter, facts, notRead);
        Set<String> platforms = posts(facts, notRead);
        Set<IndexSink> sinks = replicas(filter, facts, notRead);
        progress.accept("reading the topics from their beginning");
        TopicTally tally = new TopicTally();
        KafkaFacts.read(sources.kafkaBootstrap(), filter, facts, tally);
        progress.accept("reading the database in one snapshot");
        database(connection -> {
            JdbcFacts.read(connection, filter, facts);
            if (!meters.isEmpty()) {
                new JdbcMeterFacts(connection, began, grace, facts).read(meters, tally);
            }
        });
        sinks.add(new IndexSink(JdbcFacts.ENTRY_TABLE, null));
        Facts all = facts.facts(Window.of(began, grace), new Coverage(true, sinks, platforms, true, filter.takesAll()));
        progress.accept("comparing");
        return new Verdict(began, grace, prefix, counts(all), Invariants.check(all), notRead);
    }

    /** They are of all keys, and say nothing of some. */
    private List<Meters> meters(KeyFilter filter, FactsCollector facts, List<String> notRead)
            throws InterruptedException {
        if (!filter.takesAll() || sources.services().isEmpty()) {
            return List.of();
        }
        progress.accept("reading the services' meters");
        return new MeterReader().read(sources.services(), levels, facts, notRead);
    }

    private Set<String> posts(FactsCollector facts, List<String> notRead) throws InterruptedException {
        String sandbox = sources.sandboxUrl();
        if (sandbox == null) {
            notRead.add("posts at the platforms: left out");
            return Set.of();
        }
        progress.accept("reading the posts at the sandbox");
        new HttpFacts().posts(sandbox, facts);
        return HttpFacts.SANDBOX_PLATFORMS;
    }

    /** A replica is a copy of the index's truth, which is read anyway; one that is down is no reason for no verdict. */
    private Set<IndexSink> replicas(KeyFilter filter, FactsCollector facts, List<String> notRead)
            throws InterruptedException {
        Set<IndexSink> read = new HashSet<>();
        Secret key = sources.opsKey();
        String tenant = sources.tenantId();
        if (sources.indexUrls().isEmpty() || key == null || tenant == null) {
            notRead.add("replicas of the index: left out");
            return read;
        }
        for (String url : sources.indexUrls()) {
            try {
                progress.accept("reading the replica at " + url);
                new HttpFacts().entries(url, key, tenant, filter, facts);
                read.add(new IndexSink(HttpFacts.sinkName(url), tenant));
            } catch (CouldNotReadException e) {
                notRead.add("replica " + url + ": " + e.getMessage());
            }
        }
        return read;
    }

    private interface SnapshotReader {
        void read(Connection connection) throws SQLException;
    }

    private void database(SnapshotReader reader) {
        Properties login = new Properties();
        login.setProperty("user", VerifySources.DATABASE_USER);
        login.setProperty("password", sources.databasePassword().reveal());
        login.setProperty("connectTimeout", "10");
        login.setProperty("ApplicationName", "postonce-verify");
        try (Connection connection = DriverManager.getConnection(sources.databaseUrl(), login)) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.read(connection);
            connection.rollback();
        } catch (SQLException e) {
            throw new CouldNotReadException(
                    "the database at " + sources.databaseUrl() + " could not be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, Long> counts(Facts facts) {
        long events = 0;
        long records = 0;
        long entries = 0;
        for (var aggregate : facts.aggregates()) {
            events += aggregate.outbox().size();
            records += aggregate.records().size();
            entries += aggregate.key().kind() == AggregateKey.Kind.API_KEY
                    ? 0
                    : aggregate.entries().stream()
                            .filter(entry -> entry.sink().equals(JdbcFacts.ENTRY_TABLE) && !entry.deleted())
                            .count();
        }
        long posts = facts.strayPosts().size();
        for (var target : facts.targets()) {
            posts += target.posts().size();
        }
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("tasks", (long) facts.tasks().size());
        counts.put("groups", (long) facts.groups().size());
        counts.put("targets", (long) facts.targets().size());
        counts.put("events", events);
        counts.put("topic_records", records);
        counts.put("index_entries", entries);
        counts.put("posts", posts);
        return counts;
    }
}
