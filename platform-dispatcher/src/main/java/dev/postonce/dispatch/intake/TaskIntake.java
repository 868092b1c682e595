package dev.postonce.dispatch.intake;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.dispatch.ledger.DispatchMeters;
import dev.postonce.dispatch.target.Tasks.Told;
import dev.postonce.messaging.GateDecision;
import dev.postonce.messaging.InboxEvent;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.messaging.ParkedRecords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * From a batch of records to targets, in one transaction: the gate, the tasks, the targets, their events. What
 * cannot be processed is parked, and stops nothing else.
 */
public final class TaskIntake {

    private static final Logger LOG = LoggerFactory.getLogger(TaskIntake.class);

    private final TransactionTemplate transactions;
    private final JdbcInbox inbox;
    private final ParkedRecords parked;
    private final TargetPlanner planner;
    private final DispatchMeters meters;
    private final Runnable wake;

    private record Decoded(ConsumerRecord<byte[], byte[]> source, Told told) {}

    public TaskIntake(
            TransactionTemplate transactions,
            JdbcInbox inbox,
            ParkedRecords parked,
            TargetPlanner planner,
            DispatchMeters meters,
            Runnable wake) {
        this.transactions = transactions;
        this.inbox = inbox;
        this.parked = parked;
        this.planner = planner;
        this.meters = meters;
        this.wake = wake;
    }

    /** @throws RuntimeException if the database does not take it now; the same batch is to be brought again */
    public void accept(List<ConsumerRecord<byte[], byte[]>> batch) {
        try {
            transactions.executeWithoutResult(status -> process(batch));
        } catch (RuntimeException e) {
            if (isOfTheDatabase(e)) {
                throw e;
            }
            LOG.error("a batch of {} task events failed; each of its records is tried alone", batch.size(), e);
            batch.forEach(this::acceptAlone);
        }
        wake.run();
    }

    private void acceptAlone(ConsumerRecord<byte[], byte[]> one) {
        try {
            transactions.executeWithoutResult(status -> process(List.of(one)));
        } catch (RuntimeException e) {
            if (isOfTheDatabase(e)) {
                throw e;
            }
            LOG.error(
                    "record {}-{}@{} is parked; a person redrives it or gives it up",
                    one.topic(),
                    one.partition(),
                    one.offset(),
                    e);
            transactions.executeWithoutResult(status -> park(one, "handler_failed", String.valueOf(e.getMessage())));
        }
    }

    /** Whether the same records may pass later; a value that no column takes will not, however often it comes. */
    private static boolean isOfTheDatabase(RuntimeException e) {
        boolean ofTheRecord = e instanceof DataIntegrityViolationException && !(e instanceof DuplicateKeyException);
        return !ofTheRecord && (e instanceof DataAccessException || e instanceof TransactionException);
    }

    private void process(List<ConsumerRecord<byte[], byte[]>> batch) {
        List<Decoded> decoded = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> one : batch) {
            decode(one).ifPresent(decoded::add);
        }
        List<GateDecision> decisions = inbox.accept(decoded.stream()
                .map(event -> new InboxEvent(
                        event.told().envelope(), event.told().task().contentDigest()))
                .toList());
        Map<RecordKey, Told> newest = new LinkedHashMap<>();
        for (int i = 0; i < decoded.size(); i++) {
            Decoded event = decoded.get(i);
            GateDecision decision = decisions.get(i);
            meters.event(decision.name().toLowerCase(Locale.ROOT));
            if (decision == GateDecision.APPLY) {
                newest.put(event.told().envelope().recordKey(), event.told());
            } else if (decision == GateDecision.CONFLICT) {
                LOG.error(
                        "two contents of version {} of {}: the second is parked, a person decides",
                        event.told().task().version(),
                        event.told().envelope().recordKey());
                park(event.source(), "version_conflict", "another content at this version was applied before");
            }
        }
        planner.plan(List.copyOf(newest.values()));
    }

    private Optional<Decoded> decode(ConsumerRecord<byte[], byte[]> one) {
        try {
            EventEnvelope envelope = KafkaEventCodec.decode(one);
            if (EventType.of(envelope.type())
                    .filter(EventType.TASK_STATE::equals)
                    .isEmpty()) {
                throw new UndecodableEventException("not a task's state: " + envelope.type(), null);
            }
            TaskState task = EventJson.read(envelope.data(), TaskState.class);
            check(envelope, task);
            return Optional.of(new Decoded(one, new Told(envelope, task)));
        } catch (UndecodableEventException e) {
            LOG.error(
                    "record {}-{}@{} is parked, it is not a task event: {}",
                    one.topic(),
                    one.partition(),
                    one.offset(),
                    e.getMessage());
            park(one, "undecodable", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The mapper leaves absent texts null, whatever the record says; what the rules need must be there. */
    @SuppressWarnings("ConstantValue")
    private static void check(EventEnvelope envelope, TaskState task) {
        if (task.tenantId() == null
                || task.externalId() == null
                || task.status() == null
                || task.groupCode() == null
                || task.title() == null
                || task.contentHtml() == null
                || task.targetPlatforms() == null
                || task.tags() == null
                || task.articleDigest() == null
                || task.contentDigest() == null) {
            throw new UndecodableEventException("a required member is missing", null);
        }
        RecordKey key = envelope.recordKey();
        if (!key.tenantId().equals(task.tenantId())
                || !key.aggregateId().equals(task.externalId())
                || envelope.aggregateVersion() != task.version()) {
            throw new UndecodableEventException("the envelope and the data speak of different tasks or versions", null);
        }
    }

    private void park(ConsumerRecord<byte[], byte[]> one, String code, String reason) {
        parked.park(one, code, reason);
        meters.event("parked");
    }
}
