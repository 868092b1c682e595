package dev.postonce.index.meter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * How far one path has come. The version lag is the age of the newest applied event while something waits, and 0 when
 * nothing does: an idle index is not a late one.
 */
public final class EventProgress {

    private final InstantSource clock;
    private @Nullable Instant newestApplied;
    private @Nullable Instant waitingSince;
    private long backlogRecords;

    public EventProgress(InstantSource clock) {
        this.clock = clock;
    }

    /** A batch is in hand. @param oldest the ce_time, or the record's time, of its first event */
    public synchronized void taken(Instant oldest) {
        if (waitingSince == null) {
            waitingSince = oldest;
        }
    }

    /** The batch in hand is durable. */
    public synchronized void applied(@Nullable Instant newest) {
        waitingSince = null;
        if (newest != null && (newestApplied == null || newest.isAfter(newestApplied))) {
            newestApplied = newest;
        }
    }

    public synchronized void backlog(long records) {
        backlogRecords = records;
    }

    public synchronized long backlogRecords() {
        return backlogRecords;
    }

    public synchronized double lagSeconds() {
        Instant since = waitingSince != null ? waitingSince : backlogRecords > 0 ? newestApplied : null;
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1000.0);
    }
}
