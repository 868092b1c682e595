package dev.postonce.ingest.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.UndecodableEventException;
import dev.postonce.ingest.callback.JdbcCallbackWriter;
import dev.postonce.ingest.callback.NewCallback;
import dev.postonce.ingest.target.JdbcTargets.TaskRow;
import dev.postonce.ingest.target.TargetEvent.TaskId;
import dev.postonce.ingest.target.TellingRules.Said;
import dev.postonce.messaging.GateDecision;
import dev.postonce.messaging.JdbcInbox;
import dev.postonce.messaging.ParkedRecords;
import dev.postonce.runtime.FailPoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Applies a batch of {@code postonce.dispatch.v1}: targets move, and callbacks are written, in one transaction. */
final class TargetProjector {

    private static final Logger LOG = LoggerFactory.getLogger(TargetProjector.class);

    private final TransactionTemplate transaction;
    private final JdbcTargets targets;
    private final JdbcSearchAnswers answers;
    private final JdbcInbox inbox;
    private final ParkedRecords parked;
    private final JdbcCallbackWriter callbacks;
    private final MeterRegistry meters;

    TargetProjector(
            TransactionTemplate transaction,
            JdbcTargets targets,
            JdbcSearchAnswers answers,
            JdbcInbox inbox,
            ParkedRecords parked,
            JdbcCallbackWriter callbacks,
            MeterRegistry meters) {
        this.transaction = transaction;
        this.targets = targets;
        this.answers = answers;
        this.inbox = inbox;
        this.parked = parked;
        this.callbacks = callbacks;
        this.meters = meters;
    }

    /** @throws RuntimeException if nothing of the batch was committed; it can be taken again */
    void apply(List<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        transaction.executeWithoutResult(status -> applyInTransaction(records, counts));
        counts.forEach((result, count) ->
                meters.counter("postonce.target.events", "result", result).increment(count));
    }

    /** For a record that the database refuses for what is in it. */
    void parkFailed(ConsumerRecord<byte[], byte[]> kafkaRecord, RuntimeException failure) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        transaction.executeWithoutResult(status -> decode(List.of(kafkaRecord), counts)
                .forEach(event ->
                        parkEvent(event, "handler_failed", failure.getClass().getSimpleName(), counts)));
        meters.counter("postonce.target.events", "result", "handler_failed").increment();
    }

    private void applyInTransaction(List<ConsumerRecord<byte[], byte[]>> records, Map<String, Integer> counts) {
        List<TargetEvent> events = decode(records, counts);
        Map<TaskId, TaskRow> tasks = targets.lockTasks(
                events.stream().map(TargetEvent::task).distinct().toList());
        List<TargetEvent> known = new ArrayList<>();
        for (TargetEvent event : events) {
            if (tasks.containsKey(event.task())) {
                known.add(event);
            } else {
                parkEvent(event, "unknown_task", "no such task here; redrive it when the task is back", counts);
            }
        }
        List<GateDecision> decisions =
                inbox.accept(known.stream().map(TargetEvent::atTheGate).toList());
        List<TargetEvent> fresh = new ArrayList<>();
        for (int i = 0; i < known.size(); i++) {
            if (decisions.get(i) == GateDecision.CONFLICT) {
                parkEvent(known.get(i), "version_conflict", "another content under a version that was applied", counts);
                continue;
            }
            count(counts, decisions.get(i).name().toLowerCase(Locale.ROOT));
            if (decisions.get(i) == GateDecision.APPLY) {
                fresh.add(known.get(i));
            }
        }
        applyFresh(fresh, tasks);
    }

    private void applyFresh(List<TargetEvent> fresh, Map<TaskId, TaskRow> tasks) {
        if (fresh.isEmpty()) {
            return;
        }
        // Rising versions of one target: the last one is the target's state, the last that rests is what is told.
        Map<String, Said> before = targets.said(
                TellingRules.resting(fresh).stream().map(TargetEvent::data).toList());
        targets.move(TellingRules.newest(fresh).stream().map(TargetEvent::data).toList());
        FailPoint.hit("ingest.after-result-before-callback-row");
        List<NewCallback> told = new ArrayList<>();
        for (TargetEvent event : TellingRules.told(fresh, before)) {
            TaskRow task = Objects.requireNonNull(tasks.get(event.task()));
            if (task.callbackUrl() != null) {
                told.add(callbackOf(event.data(), task));
            }
        }
        callbacks.append(told);
        answers.note(fresh);
    }

    private static NewCallback callbackOf(DispatchState target, TaskRow task) {
        return new NewCallback(
                target.tenantId(),
                target.externalId(),
                task.businessRefId(),
                target.platform(),
                target.state(),
                target.platformUrl(),
                target.errorCode(),
                target.taskVersion(),
                target.version(),
                target.changedAt());
    }

    private List<TargetEvent> decode(List<ConsumerRecord<byte[], byte[]>> records, Map<String, Integer> counts) {
        List<TargetEvent> events = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> kafkaRecord : records) {
            try {
                events.add(TargetEvent.decode(kafkaRecord));
            } catch (UndecodableEventException e) {
                park(kafkaRecord, "undecodable", String.valueOf(e.getMessage()));
                count(counts, "undecodable");
            }
        }
        return events;
    }

    private void parkEvent(TargetEvent event, String code, String reason, Map<String, Integer> counts) {
        park(event.kafkaRecord(), code, reason);
        inbox.recordParked(event.envelope());
        count(counts, code);
    }

    private void park(ConsumerRecord<byte[], byte[]> kafkaRecord, String code, String reason) {
        parked.park(kafkaRecord, code, reason);
        LOG.error(
                "parked {}-{} offset {}: {} ({}). It is kept whole in ingest.parked_record until a person redrives it"
                        + " or gives it up; other records go on",
                kafkaRecord.topic(),
                kafkaRecord.partition(),
                kafkaRecord.offset(),
                code,
                reason);
    }

    private static void count(Map<String, Integer> counts, String result) {
        counts.merge(result, 1, Integer::sum);
    }
}
