package dev.postonce.standalone.status;

import java.util.List;
import java.util.Map;

/**
 * Numbers from the database; a number that cannot be had, such as from a table that is not there yet, is absent.
 *
 * @param counts by name, such as {@code tasks}
 * @param targets by state
 * @param relay one for each outbox
 */
record StackCounts(Map<String, Long> counts, Map<String, Long> targets, List<RelayLag> relay) {

    /**
     * @param unpublished rows that the relay has not got past
     * @param oldestSeconds the age of the oldest of them
     * @param slotLagBytes write-ahead log that the slot still holds back
     */
    record RelayLag(String source, long unpublished, double oldestSeconds, long slotLagBytes) {}
}
