package dev.postonce.index.entry;

import dev.postonce.contract.KeyState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.index.event.IndexEvent;
import dev.postonce.index.event.KafkaIndexEvents;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.meter.IndexMeters.Alarm;
import dev.postonce.index.meter.IndexMeters.Decision;
import dev.postonce.messaging.GateDecision;
import dev.postonce.messaging.InboxEvent;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.runtime.FailPoint;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes a batch of records into PostgreSQL: gate, entries, keys, inbox, watermarks and what is parked, in one
 * transaction. The offset is committed by the caller, after this returned.
 */
public final class EntryWriter {

    public static final String CONSUMER_TASK = "index.task";
    public static final String CONSUMER_GROUP = "index.group";
    public static final String CONSUMER_KEY = "index.key";

    private static final Logger LOG = LoggerFactory.getLogger(EntryWriter.class);

    private final TransactionTemplate transaction;
    private final JdbcEntries entries;
    private final ParkedRecords parked;
    private final Map<String, JdbcInbox> inboxes;
    private final IndexMeters meters;
    private final InstantSource clock;

    /** @param inboxes one for each consumer name: a task and a key of one tenant may have the same record key */
    public EntryWriter(
            TransactionTemplate transaction,
            JdbcEntries entries,
            ParkedRecords parked,
            Map<String, JdbcInbox> inboxes,
            IndexMeters meters,
            InstantSource clock) {
        this.transaction = transaction;
        this.entries = entries;
        this.parked = parked;
        this.inboxes = Map.copyOf(inboxes);
        this.meters = meters;
        this.clock = clock;
    }

    private record Decoded(ConsumerRecord<byte[], byte[]> source, IndexEvent event) {
        InboxEvent atGate() {
            return new InboxEvent(event.envelope(), event.contentDigest());
        }
    }

    private record Undecodable(ConsumerRecord<byte[], byte[]> source, String reason) {}

    private record Outcome(GateDecision decision, Decoded decoded) {}

    /**
     * @throws org.springframework.dao.DataAccessException if the batch is to be taken again, among others when
     *     another instance moved a watermark at the same moment; nothing of it was written
     */
    public void write(List<ConsumerRecord<byte[], byte[]>> records) {
        FailPoint.hit("index.after-poll-before-decode");
        try {
            writeTogether(records);
        } catch (DataIntegrityViolationException refused) {
            // PostgreSQL will refuse the same value for ever. One by one, so that only the guilty one is parked.
            LOG.warn(
                    "PostgreSQL refused a batch of {} records; taking them one by one: {}",
                    records.size(),
                    Failures.describe(refused));
            records.forEach(this::writeAlone);
        }
    }

    private void writeAlone(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        try {
            writeTogether(List.of(kafkaRecord));
        } catch (DataIntegrityViolationException refused) {
            IndexEvent event = KafkaIndexEvents.decode(kafkaRecord);
            transaction.executeWithoutResult(status -> {
                parked.park(kafkaRecord, "handler_failed", Failures.describe(refused));
                inbox(consumerOf(event)).recordParked(event.envelope());
            });
            meters.count(Decision.PARKED);
            LOG.error("parked {}: PostgreSQL refuses it; a person is to redrive it or give it up", place(kafkaRecord));
        }
    }

    private void writeTogether(List<ConsumerRecord<byte[], byte[]>> records) {
        List<Decoded> decoded = new ArrayList<>();
        List<Undecodable> undecodable = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> kafkaRecord : records) {
            try {
                decoded.add(new Decoded(kafkaRecord, KafkaIndexEvents.decode(kafkaRecord)));
            } catch (UndecodableEventException e) {
                undecodable.add(new Undecodable(kafkaRecord, String.valueOf(e.getMessage())));
            }
        }
        FailPoint.hit("index.after-decode-before-write");
        List<Outcome> outcomes = transaction.execute(status -> {
            List<Outcome> result = pass(decoded);
            undecodable.forEach(bad -> parked.park(bad.source, "undecodable", bad.reason));
            FailPoint.hit("index.after-write-before-durable");
            return result;
        });
        tell(outcomes, undecodable);
    }

    private List<Outcome> pass(List<Decoded> decoded) {
        Map<String, List<Decoded>> byConsumer = new TreeMap<>();
        decoded.forEach(one -> byConsumer
                .computeIfAbsent(consumerOf(one.event), name -> new ArrayList<>())
                .add(one));
        List<Outcome> outcomes = new ArrayList<>();
        byConsumer.forEach((consumer, events) -> {
            List<GateDecision> decisions =
                    inbox(consumer).accept(events.stream().map(Decoded::atGate).toList());
            for (int i = 0; i < events.size(); i++) {
                outcomes.add(new Outcome(decisions.get(i), events.get(i)));
            }
        });
        apply(outcomes);
        return outcomes;
    }

    private void apply(List<Outcome> outcomes) {
        // Of several versions of one key the last is the newest; PostgreSQL takes one row for a key in a statement.
        Map<String, EntryRow> rows = new TreeMap<>();
        Map<String, KeyState> keys = new LinkedHashMap<>();
        for (Outcome outcome : outcomes) {
            IndexEvent event = outcome.decoded.event;
            if (outcome.decision == GateDecision.CONFLICT) {
                parkConflict(outcome.decoded);
            } else if (outcome.decision == GateDecision.APPLY) {
                String key = event.envelope().recordKey().toString();
                if (event instanceof IndexEvent.OfEntry entry) {
                    rows.put(entry.kind().wireName() + "/" + key, EntryRow.of(entry));
                } else if (event instanceof IndexEvent.OfKey ofKey) {
                    keys.put(key, ofKey.state());
                }
            }
        }
        entries.write(rows.values());
        entries.writeKeys(keys.values());
    }

    private void parkConflict(Decoded decoded) {
        parked.park(
                decoded.source,
                "version_conflict",
                "version " + decoded.event.envelope().aggregateVersion() + " was applied with another content; "
                        + "the entry keeps what came first");
        inbox(consumerOf(decoded.event)).recordParked(decoded.event.envelope());
    }

    private void tell(List<Outcome> outcomes, List<Undecodable> undecodable) {
        for (Outcome outcome : outcomes) {
            switch (outcome.decision) {
                case APPLY -> {
                    meters.count(Decision.APPLIED);
                    meters.eventDelay(
                            Duration.between(outcome.decoded.event.envelope().time(), clock.instant()));
                }
                case DUPLICATE -> meters.count(Decision.DUPLICATE);
                case STALE -> meters.count(Decision.STALE);
                case CONFLICT -> {
                    meters.count(Decision.CONFLICT);
                    meters.alarm(Alarm.VERSION_CONFLICT);
                    LOG.error(
                            "parked {}: two contents of one version; compare it with the source and re-emit the right one",
                            place(outcome.decoded.source));
                }
            }
        }
        for (Undecodable bad : undecodable) {
            meters.count(Decision.PARKED);
            LOG.error("parked {}: {}; a person is to redrive it or give it up", place(bad.source), bad.reason);
        }
        if (!undecodable.isEmpty()) {
            FailPoint.hit("index.after-deadletter-ack-before-offset-commit");
        }
    }

    private JdbcInbox inbox(String consumer) {
        JdbcInbox inbox = inboxes.get(consumer);
        if (inbox == null) {
            throw new IllegalStateException("no inbox for " + consumer);
        }
        return inbox;
    }

    private static String consumerOf(IndexEvent event) {
        if (event instanceof IndexEvent.OfTask) {
            return CONSUMER_TASK;
        }
        return event instanceof IndexEvent.OfGroup ? CONSUMER_GROUP : CONSUMER_KEY;
    }

    private static String place(ConsumerRecord<?, ?> kafkaRecord) {
        return kafkaRecord.topic() + "-" + kafkaRecord.partition() + "@" + kafkaRecord.offset();
    }
}
