package dev.postonce.relay.source;

import dev.postonce.relay.outbox.Lsn;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.RecordedSource.Identity;
import dev.postonce.relay.source.RecordedSource.State;
import dev.postonce.relay.source.Refusal.Code;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a source may be relayed. Every rule compares what was written down with what is there, and none remembers a
 * verdict: a refusal lasts exactly as long as its cause, and a cause that could hide a gap does not go away by itself.
 */
public final class SourceChecks {

    private SourceChecks() {}

    public sealed interface Verdict {
        /** Read the table first: the stream alone does not hold everything. */
        record Baseline(boolean newSlot) implements Verdict {}

        record Stream() implements Verdict {}

        record Refused(Refusal refusal) implements Verdict {}
    }

    /**
     * @param request the operator's wish to begin anew, such as {@code ingest@after-restore}; each is obeyed once
     */
    public static Verdict decide(
            OutboxSource source, @Nullable RecordedSource recorded, ObservedSource observed, @Nullable String request) {
        Optional<Refusal> unusable = unusable(source, recorded, observed);
        if (unusable.isPresent()) {
            return new Verdict.Refused(unusable.get());
        }
        if (recorded == null || recorded.state() == State.NEW || asked(recorded, request)) {
            ObservedSource.Slot slot = observed.slot();
            if (slot != null && !slot.ours()) {
                return refused(source, Code.SLOT_FOREIGN, "slot " + source.slot());
            }
            return missingTopic(source, observed)
                    .map(topic -> refused(source, Code.TOPICS_NOT_THERE_YET, topic + " is missing"))
                    .orElseGet(() -> new Verdict.Baseline(true));
        }
        Optional<Refusal> broken = changed(source, recorded, observed).or(() -> slotBroken(source, recorded, observed));
        if (broken.isPresent()) {
            return new Verdict.Refused(broken.get());
        }
        return recorded.state() == State.BASELINE ? new Verdict.Baseline(false) : new Verdict.Stream();
    }

    /** Whether the slot still stands where it was left. Asked again when the stream is up, before its first row. */
    public static Optional<Refusal> slotBroken(OutboxSource source, RecordedSource recorded, ObservedSource observed) {
        ObservedSource.Slot slot = observed.slot();
        String name = "slot " + source.slot();
        if (slot == null) {
            return refusal(source, Code.SLOT_MISSING, name + " does not exist");
        }
        if (!slot.ours()) {
            return refusal(source, Code.SLOT_FOREIGN, name + " is no pgoutput slot of this database");
        }
        if (slot.lost()) {
            return refusal(source, Code.SLOT_LOST, name + " was invalidated");
        }
        // The position is stored before the slot is told of it, so ours is never behind the slot's.
        if (Long.compareUnsigned(slot.confirmedLsn(), recorded.positionLsn()) > 0) {
            return refusal(
                    source,
                    Code.SLOT_AHEAD,
                    name + " confirmed " + Lsn.format(slot.confirmedLsn()) + ", published up to "
                            + Lsn.format(recorded.positionLsn()));
        }
        return Optional.empty();
    }

    private static boolean asked(RecordedSource recorded, @Nullable String request) {
        return request != null && !request.equals(recorded.rebaselineRequest());
    }

    private static Optional<Refusal> unusable(
            OutboxSource source, @Nullable RecordedSource recorded, ObservedSource observed) {
        boolean fresh = recorded == null || recorded.state() == State.NEW;
        if (observed.inRecovery()) {
            return refusal(source, Code.NOT_PRIMARY, "pg_is_in_recovery() is true");
        }
        if (!observed.tableExists()) {
            return refusal(
                    source,
                    fresh ? Code.OUTBOX_NOT_THERE_YET : Code.OUTBOX_MISSING,
                    source.table() + " does not exist or is not readable");
        }
        ObservedSource.Publication publication = observed.publication();
        if (publication == null) {
            return refusal(
                    source,
                    fresh ? Code.OUTBOX_NOT_THERE_YET : Code.PUBLICATION_MISSING,
                    "publication " + source.publication() + " does not exist");
        }
        if (publication.problem() != null) {
            return refusal(
                    source,
                    Code.PUBLICATION_INCOMPLETE,
                    "publication " + source.publication() + ": " + publication.problem());
        }
        return Optional.empty();
    }

    private static Optional<Refusal> changed(OutboxSource source, RecordedSource recorded, ObservedSource observed) {
        Identity was = recorded.identity();
        if (was == null) {
            throw new IllegalStateException("source " + source.name() + " has a slot but no recorded identity");
        }
        if (!was.systemIdentifier().equals(observed.systemIdentifier())) {
            return differs(source, Code.SYSTEM_CHANGED, was.systemIdentifier(), observed.systemIdentifier());
        }
        if (was.timeline() != observed.timeline()) {
            return differs(source, Code.TIMELINE_CHANGED, "" + was.timeline(), "" + observed.timeline());
        }
        ObservedSource.Publication publication = observed.publication();
        if (publication == null || !was.publicationIdentity().equals(publication.identity())) {
            return differs(
                    source,
                    Code.PUBLICATION_CHANGED,
                    was.publicationIdentity(),
                    publication == null ? "none" : publication.identity());
        }
        return kafkaChanged(source, was, observed.kafka());
    }

    private static Optional<Refusal> kafkaChanged(OutboxSource source, Identity was, ObservedSource.Kafka kafka) {
        if (!was.kafkaClusterId().equals(kafka.clusterId())) {
            return differs(source, Code.KAFKA_CLUSTER_CHANGED, was.kafkaClusterId(), kafka.clusterId());
        }
        for (String topic : source.topics()) {
            String recordedId = was.topicIds().get(topic);
            String id = kafka.topicIds().get(topic);
            if (recordedId == null && id == null) {
                return refusal(source, Code.TOPICS_NOT_THERE_YET, topic + " is missing");
            }
            if (recordedId != null && !recordedId.equals(id)) {
                return differs(source, Code.TOPIC_CHANGED, topic + " " + recordedId, id == null ? "missing" : id);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> missingTopic(OutboxSource source, ObservedSource observed) {
        return source.topics().stream()
                .filter(topic -> !observed.kafka().topicIds().containsKey(topic))
                .findFirst();
    }

    private static Optional<Refusal> differs(OutboxSource source, Code code, String was, String is) {
        return refusal(source, code, "recorded " + was + ", found " + is);
    }

    private static Optional<Refusal> refusal(OutboxSource source, Code code, String detail) {
        return Optional.of(new Refusal(code, source.name(), detail));
    }

    private static Verdict refused(OutboxSource source, Code code, String detail) {
        return new Verdict.Refused(new Refusal(code, source.name(), detail));
    }
}
