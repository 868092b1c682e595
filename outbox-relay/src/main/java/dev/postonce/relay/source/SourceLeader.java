package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.KafkaPublisher;
import dev.postonce.relay.source.RecordedSource.BaselineMark;
import dev.postonce.relay.source.RecordedSource.Identity;
import dev.postonce.relay.source.RecordedSource.State;
import dev.postonce.relay.source.SourceChecks.Verdict;
import dev.postonce.runtime.FailPoint;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a relay does with a source that it has claimed: the table first where that is needed, then the stream. */
public final class SourceLeader {

    private static final Logger LOG = LoggerFactory.getLogger(SourceLeader.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** A reader that has not come up by then is closed and tried again. */
    private static final Duration STREAMING_WITHIN = Duration.ofSeconds(60);

    /** The tables and the log of one database, as the leader reads them. */
    public record Database(
            JdbcSources sources, JdbcObservations observations, JdbcBaseline baseline, PgConnections connections) {}

    private final OutboxSource source;
    private final RelaySettings settings;
    private final Database database;
    private final OutboxReader reader;
    private final Supplier<KafkaPublisher> publishers;
    private final SourceStatus status;
    private final SlotMaker slots;
    private volatile @Nullable KafkaPublisher publisher;
    private volatile boolean anew;

    public SourceLeader(
            OutboxSource source,
            RelaySettings settings,
            Database database,
            OutboxReader reader,
            Supplier<KafkaPublisher> publishers,
            SourceStatus status) {
        this.source = source;
        this.settings = settings;
        this.database = database;
        this.reader = reader;
        this.publishers = publishers;
        this.status = status;
        this.slots = new SlotMaker(database.connections());
    }

    /** Makes a running {@link #lead} return soon. */
    void interrupt() {
        slots.cancel();
        KafkaPublisher current = publisher;
        if (current != null) {
            current.stop();
        }
    }

    /**
     * Makes a running {@link #lead} return soon, and its caller lead again under the same claim: with another reader
     * and another producer. What was not acknowledged is read again.
     */
    void beginAnew() {
        anew = true;
        KafkaPublisher current = publisher;
        if (current != null) {
            LOG.info("source {}: its reader and its producer are replaced", source.name());
            current.stop();
        }
    }

    /**
     * Leads until told to stop or to begin anew, until the claim is gone, or until something forbids to go on.
     *
     * @return what forbids it; null when it was told to stop or to begin anew
     */
    Verdict.@Nullable Refused lead(SourceClaim claim, BooleanSupplier running)
            throws InterruptedException, SQLException {
        anew = false;
        BooleanSupplier mayGoOn = () -> running.getAsBoolean() && claim.held() && !anew;
        Optional<RecordedSource> recorded = database.sources().find(source);
        ObservedSource observed;
        try {
            observed = database.observations().observe(source);
        } catch (JdbcObservations.KafkaSilentException e) {
            return new Verdict.Refused(new Refusal(Refusal.Code.KAFKA_SILENT, source.name(), "" + e.getMessage()));
        }
        recorded.ifPresent(known -> status.resumeFrom(known.publishedSeq()));
        observe(observed);
        Verdict verdict = SourceChecks.decide(source, recorded.orElse(null), observed, settings.rebaselineOf(source));
        if (verdict instanceof Verdict.Refused refused) {
            return refused;
        }
        try (KafkaPublisher current = publishers.get()) {
            publisher = current;
            claim.onLost(current::stop);
            if (!mayGoOn.getAsBoolean()) {
                return null;
            }
            return publish(claim, current, verdict, observed, mayGoOn);
        } catch (RuntimeException e) {
            if (anew) {
                LOG.debug("source {}: ended to begin anew", source.name(), e);
                return null;
            }
            throw e;
        } finally {
            publisher = null;
            status.batchEnded();
        }
    }

    private Verdict.@Nullable Refused publish(
            SourceClaim claim,
            KafkaPublisher current,
            Verdict verdict,
            ObservedSource observed,
            BooleanSupplier mayGoOn)
            throws InterruptedException, SQLException {
        // A reader that still runs belongs to a relay whose claim is over.
        database.observations().endReader(source);
        if (verdict instanceof Verdict.Baseline baseline) {
            status.enter(SourceStatus.State.BASELINE);
            if (baseline.newSlot()) {
                makeSlot(claim, observed);
            }
            readTable(claim, current, mayGoOn);
        }
        database.sources().recordTopics(source, observed.kafka().topicIds());
        return mayGoOn.getAsBoolean() ? stream(claim, current, mayGoOn) : null;
    }

    private void makeSlot(SourceClaim claim, ObservedSource observed) throws SQLException {
        LOG.info("source {}: makes slot {}; it waits for transactions that are open now", source.name(), source.slot());
        SlotMaker.Made made = slots.make(source);
        FailPoint.hit("relay.after-slot-before-record");
        ObservedSource.Publication publication = observed.publication();
        if (publication == null) {
            throw new IllegalStateException("a slot is made only for a source with a publication");
        }
        Identity identity = new Identity(
                observed.systemIdentifier(),
                observed.timeline(),
                publication.identity(),
                observed.kafka().clusterId(),
                observed.kafka().topicIds());
        database.sources().beginBaseline(source, claim.epoch(), made, identity, settings.rebaselineOf(source));
        FailPoint.hit("relay.after-slot-before-first-row");
    }

    /** Publishes what the stream will not hold. A key's rows come in the order of its versions. */
    private void readTable(SourceClaim claim, KafkaPublisher current, BooleanSupplier mayGoOn)
            throws InterruptedException {
        RecordedSource recorded = database.sources().find(source).orElseThrow();
        String snapshot = recorded.baselineSnapshot();
        if (recorded.state() != State.BASELINE || snapshot == null) {
            throw new IllegalStateException("source " + source.name() + " has no baseline to read");
        }
        while (mayGoOn.getAsBoolean() && !database.baseline().settled(snapshot)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY.toMillis()));
        }
        BaselineMark mark = recorded.baselineMark();
        long count = 0;
        while (mayGoOn.getAsBoolean()) {
            List<OutboxRow> page = database.baseline().page(source, snapshot, mark);
            if (page.isEmpty()) {
                database.sources().finishBaseline(source, claim.epoch());
                LOG.info("source {}: {} rows published from the table; the stream follows", source.name(), count);
                return;
            }
            current.publish(page);
            status.batchEnded();
            count += page.size();
            OutboxRow last = page.get(page.size() - 1);
            mark = new BaselineMark(last.recordKey(), last.aggregateVersion(), last.seq());
            database.sources().markBaseline(source, claim.epoch(), mark, status.publishedSeq());
        }
    }

    private Verdict.@Nullable Refused stream(SourceClaim claim, KafkaPublisher current, BooleanSupplier mayGoOn)
            throws InterruptedException {
        RecordedSource recorded = database.sources().find(source).orElseThrow();
        StreamHandler handler = new StreamHandler(source, database, claim.epoch(), recorded, current, status);
        try (OutboxReader.Reading reading = reader.open(source, handler)) {
            try {
                return watch(reading, mayGoOn);
            } finally {
                // Before the reader is closed, which waits for its handler.
                current.stop();
            }
        } catch (RuntimeException e) {
            Refusal refusal = handler.refusal();
            if (refusal != null) {
                return new Verdict.Refused(refusal);
            }
            throw e;
        }
    }

    /** Looks at the reading until it ends, and at everything it rests on from time to time. */
    private Verdict.@Nullable Refused watch(OutboxReader.Reading reading, BooleanSupplier mayGoOn)
            throws InterruptedException {
        long sinceStart = 0;
        long sinceCheck = 0;
        while (mayGoOn.getAsBoolean()) {
            if (reading.awaitEnd(LOOK_EVERY)) {
                Throwable failure = reading.failure();
                throw new IllegalStateException(
                        "the reader ended: " + (failure == null ? "no reason given" : failure), failure);
            }
            sinceStart += LOOK_EVERY.toMillis();
            sinceCheck += LOOK_EVERY.toMillis();
            if (reading.streaming()) {
                status.enter(SourceStatus.State.STREAMING);
            } else if (sinceStart > STREAMING_WITHIN.toMillis()) {
                throw new IllegalStateException("the reader did not come up in " + STREAMING_WITHIN);
            }
            if (sinceCheck >= settings.checkEvery().toMillis()) {
                sinceCheck = 0;
                Verdict.Refused refused = check();
                if (refused != null) {
                    return refused;
                }
            }
        }
        return null;
    }

    /** A running stream stands still at once when its ground is gone; Kafka's silence is the publisher's matter. */
    private Verdict.@Nullable Refused check() throws InterruptedException {
        ObservedSource observed;
        try {
            observed = database.observations().observe(source);
        } catch (JdbcObservations.KafkaSilentException e) {
            return null;
        }
        observe(observed);
        // Read after the slot: the slot only ever follows what is recorded.
        RecordedSource recorded = database.sources().find(source).orElseThrow();
        return SourceChecks.decide(source, recorded, observed, recorded.rebaselineRequest())
                        instanceof Verdict.Refused refused
                ? refused
                : null;
    }

    private void observe(ObservedSource observed) {
        Duration age = observed.tableExists()
                ? database.observations().unpublishedAge(source, status.publishedSeq())
                : Duration.ZERO;
        warnOfLoss(status.slot(), observed.slot());
        status.observed(observed.slot(), age);
    }

    private void warnOfLoss(ObservedSource.@Nullable Slot before, ObservedSource.@Nullable Slot now) {
        boolean warned = before != null && before.endangered();
        if (now != null && now.endangered() && !warned) {
            LOG.warn(
                    "source {}: slot {} keeps {} bytes of log, more than max_slot_wal_keep_size allows: it is lost soon"
                            + " unless the relay catches up or the limit is raised",
                    source.name(),
                    source.slot(),
                    now.retainedBytes());
        }
    }
}
