package dev.postonce.systemtests.workload;

/**
 * What a client asked for, and what it knows of it.
 *
 * @param subject the natural key within the tenant: {@code task/<external_id>}, {@code group/<normalized>}; empty where
 *     the request names none
 * @param body what was sent, as JSON; empty for a read
 * @param tries how often it was sent
 * @param status the last answer's; 0 without one
 * @param id of the resource; empty if none was told
 * @param said the answer's {@code error_code}, or what became of the connection
 */
public record Operation(
        long number,
        Kind kind,
        String tenant,
        String subject,
        String idempotencyKey,
        String body,
        long invokedAtMs,
        long endedAtMs,
        int tries,
        Result result,
        int status,
        String id,
        String said) {

    /** What the client was after. */
    public enum Kind {
        NEW,
        REPEATED,
        CHANGED,
        EXTENDED,
        UPDATED,
        WITHDRAWN,
        RESTORED,
        GROUP,
        GROUP_UPDATED,
        GROUP_REMOVED,
        GROUP_RESTORED,
        HOT,
        HOSTILE,
        OVERSIZED,
        READ_OWN,
        READ_FOREIGN
    }

    /** What is known afterwards. */
    public enum Result {
        /** 2xx: committed. */
        OK,
        /** Refused: nothing was committed. */
        FAIL,
        /** No answer, or one that says that nobody knows. */
        UNKNOWN
    }

    boolean created() {
        return result == Result.OK && status == 201;
    }
}
