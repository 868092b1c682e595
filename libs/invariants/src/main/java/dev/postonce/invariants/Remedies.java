package dev.postonce.invariants;

/** What a person does about a violation of each sort. */
final class Remedies {

    private Remedies() {}

    static String of(InvariantId invariant, ViolationKind kind) {
        return switch (invariant) {
            case I1 ->
                "The row and its event should be one transaction: keep the database as it is and report it as a bug.";
            case I2 -> "A unique constraint is missing or was dropped: compare the schema with the migrations.";
            case I3 -> "Two answers stand for one question: keep the rows as they are and report it as a bug.";
            case I4 -> ofTopic(kind);
            case I5 -> ofOrder(kind);
            case I6 -> ofIndex(kind);
            case I7 -> ofPosts(kind);
            case I8 -> ofStatus(kind);
            case I9 -> ofCallbacks(kind);
            case I11 -> "See the service's log at that place; what it should have kept must be looked at by a person.";
            case I12 ->
                "The audit row is part of the same statement: keep the database as it is and report it as a bug.";
            case I13 -> "Believe the rows: verify, status and board read them; report the meter as a bug.";
            case I14 ->
                "Something is kept: take a thread dump of that process, then restart it; report it with the dump.";
            case I10 -> "Stop the service that wrote it and report it at once: this is a leak.";
            default -> "Report it as a bug, with the output of `postonce verify --export`.";
        };
    }

    private static String ofOrder(ViolationKind kind) {
        return kind == ViolationKind.MISSING
                ? "A version never reached the topic: replay this key from the outbox."
                : "Two publishers wrote at once, or the topic was written by hand: find who; consumers gate by version."
                        + " Replay the key where an older copy came last, before compaction drops the newest.";
    }

    private static String ofCallbacks(ViolationKind kind) {
        return kind == ViolationKind.UNTRUE
                ? "See the task's callbacks; replay them once the cause is known."
                : "See the lag of ingest-service's results consumer, then replay the task's callbacks.";
    }

    private static String ofTopic(ViolationKind kind) {
        return switch (kind) {
            case MISSING -> "See the relay's health and its parked events; replay the key from the outbox.";
            case EXTRA ->
                "Something else writes to the topic, or the database was restored: check who may write to it.";
            default -> "A copy differs from its row: keep topic and table as they are and report it as a bug.";
        };
    }

    private static String ofIndex(ViolationKind kind) {
        return switch (kind) {
            case MISSING, STALE ->
                "See the index consumer's lag and its parked records; if it has caught up, rebuild the index.";
            default -> "Rebuild the index from the topic; if it comes back, report it as a bug.";
        };
    }

    private static String ofPosts(ViolationKind kind) {
        return kind == ViolationKind.DOUBLED
                ? "Take the younger post down by hand; the attempts of this target tell how it came about."
                : "The post carries our mark but belongs to no target: see whether another installation posts there.";
    }

    private static String ofStatus(ViolationKind kind) {
        return switch (kind) {
            case MISSING, STALE ->
                "See the lag of the dispatcher and of ingest-service's results consumer; they catch up by themselves.";
            default -> "Look at the platform and reconcile the target; the ledger's attempts tell what was sent.";
        };
    }
}
