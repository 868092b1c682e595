package dev.postonce.index.replica;

import org.jspecify.annotations.Nullable;

/** What the rest of the process sees of its replica: its state, and the open index to search in. */
public final class Replica {

    /** @param what one sentence for the health page */
    public record Status(Phase phase, String what, long lagRecords, long documents) {
        public boolean ready() {
            return phase == Phase.READY;
        }
    }

    public enum Phase {
        /** Kafka, its topics, PostgreSQL or the directory are not there yet. */
        WAITING,
        /** Being filled from {@code "index".entry}. */
        SEEDING,
        /** Reading up to the ends that the topics had at the start. */
        CATCHING_UP,
        /** Answers searches. */
        READY
    }

    private volatile Status status = new Status(Phase.WAITING, "starting", 0, 0);
    private volatile @Nullable LuceneIndex index;

    public Status status() {
        return status;
    }

    /** Null unless it is ready. */
    public @Nullable LuceneIndex readable() {
        return status.ready() ? index : null;
    }

    void opened(LuceneIndex opened) {
        index = opened;
    }

    void closed() {
        index = null;
    }

    void at(Phase phase, String what, long lagRecords) {
        LuceneIndex current = index;
        status = new Status(phase, what, lagRecords, current == null ? 0 : current.documents());
    }
}
