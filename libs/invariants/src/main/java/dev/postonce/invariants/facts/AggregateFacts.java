package dev.postonce.invariants.facts;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that was found about one task, group, target or API key and its events. */
public final class AggregateFacts {

    private final AggregateKey key;
    private @Nullable TaskFact task;
    private @Nullable GroupFact group;
    private final List<OutboxFact> outbox = new ArrayList<>(1);
    private final List<RecordFact> records = new ArrayList<>(1);
    private final List<EntryFact> entries = new ArrayList<>(1);
    private List<ParkedFact> parked = List.of();
    private List<AnswerFact> answers = List.of();
    private @Nullable AuditFact audit;

    AggregateFacts(AggregateKey key) {
        this.key = key;
    }

    public AggregateKey key() {
        return key;
    }

    public @Nullable TaskFact task() {
        return task;
    }

    public @Nullable GroupFact group() {
        return group;
    }

    public List<OutboxFact> outbox() {
        return outbox;
    }

    /** As they were read; within one partition by rising offset. */
    public List<RecordFact> records() {
        return records;
    }

    public List<EntryFact> entries() {
        return entries;
    }

    public List<ParkedFact> parked() {
        return parked;
    }

    /** What idempotency records say that they stand for this. */
    public List<AnswerFact> answers() {
        return answers;
    }

    public @Nullable AuditFact audit() {
        return audit;
    }

    /** Whether the source knows of this key: a row, or an event of it. */
    public boolean inSource() {
        return task != null || group != null || !outbox.isEmpty();
    }

    void put(TaskFact row) {
        task = row;
    }

    void put(GroupFact row) {
        group = row;
    }

    void add(ParkedFact row) {
        if (parked.isEmpty()) {
            parked = new ArrayList<>(1);
        }
        parked.add(row);
    }

    void put(AuditFact row) {
        audit = row;
    }

    void add(AnswerFact row) {
        if (answers.isEmpty()) {
            answers = new ArrayList<>(1);
        }
        answers.add(row);
    }
}
