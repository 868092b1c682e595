package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.DeliveryOutcome.Delivered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a lane's callbacks: which is sent next, which need not be sent any more, and when the lane is looked
 * at again. Plain rules; the lane's lock is held while rows are read, judged and written.
 */
final class LaneRules {

    private LaneRules() {}

    /** Where a callback stands. */
    enum State {
        PENDING,
        DELIVERED,
        /** A newer one of the same target makes it needless. */
        SUPERSEDED,
        /** Given up until a person replays it, visibly. */
        PARKED;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String wireName) {
            return valueOf(wireName.toUpperCase(Locale.ROOT));
        }
    }

    /** One callback of the lane. */
    record Row(String webhookId, String platform, long sequence, long dispatchVersion, State state, Instant dueAt) {

        Row withState(State next) {
            return new Row(webhookId, platform, sequence, dispatchVersion, next, dueAt);
        }

        Row dueAt(Instant next) {
            return new Row(webhookId, platform, sequence, dispatchVersion, state, next);
        }
    }

    /**
     * What an ended attempt changes.
     *
     * @param attempted the callback that was sent, as it stands now
     * @param superseded ids of older ones that need not be sent any more
     * @param laneDueAt when its first pending callback is due; null when nothing is pending
     * @param goOn whether the same worker sends the next one at once
     */
    record Finished(@Nullable Row attempted, List<String> superseded, @Nullable Instant laneDueAt, boolean goOn) {}

    /** The next one to be sent; a later one waits for it, also while it is not due. */
    static Optional<Row> head(Collection<Row> rows) {
        return rows.stream().filter(row -> row.state() == State.PENDING).min(Comparator.comparingLong(Row::sequence));
    }

    static @Nullable Instant dueAt(Collection<Row> rows) {
        return head(rows).map(Row::dueAt).orElse(null);
    }

    /**
     * Which of the lane's callbacks are not sent any more, now that newer ones were appended: the newest state of each
     * target is what counts.
     *
     * @param newest the highest version of each platform's target that was appended
     */
    static List<Row> supersededBy(Map<String, Long> newest, Collection<Row> rows) {
        return rows.stream()
                .filter(row -> row.state() == State.PENDING)
                .filter(row -> row.dispatchVersion() < newest.getOrDefault(row.platform(), 0L))
                .toList();
    }

    /**
     * @param rows of the lane: what is pending or parked, and the one that was sent
     * @param next the delay before the next attempt; null parks what was not delivered
     * @param mayGoOn false when the worker is to stop after this one
     */
    static Finished finish(
            Collection<Row> rows,
            String webhookId,
            DeliveryOutcome outcome,
            @Nullable Duration next,
            Instant now,
            boolean mayGoOn) {
        boolean delivered = outcome instanceof Delivered;
        State told = delivered ? State.DELIVERED : next == null ? State.PARKED : State.PENDING;
        Row attempted = null;
        List<Row> after = new ArrayList<>();
        List<String> superseded = new ArrayList<>();
        for (Row row : rows) {
            if (row.webhookId().equals(webhookId)) {
                attempted = settled(row, told, next, now);
                after.add(attempted);
            }
        }
        for (Row row : rows) {
            if (row.webhookId().equals(webhookId)) {
                continue;
            }
            boolean needless = delivered && attempted != null && isOlder(row, attempted);
            after.add(needless ? row.withState(State.SUPERSEDED) : row);
            if (needless) {
                superseded.add(row.webhookId());
            }
        }
        Instant due = dueAt(after);
        return new Finished(attempted, superseded, due, mayGoOn && due != null && !due.isAfter(now));
    }

    /** A callback that was superseded on its way stays so, unless it was delivered after all. */
    private static Row settled(Row row, State told, @Nullable Duration next, Instant now) {
        Row moved = next == null ? row : row.dueAt(now.plus(next));
        return row.state() == State.PENDING || told == State.DELIVERED ? moved.withState(told) : moved;
    }

    private static boolean isOlder(Row row, Row delivered) {
        boolean open = row.state() == State.PENDING || row.state() == State.PARKED;
        return open && row.platform().equals(delivered.platform()) && row.sequence() < delivered.sequence();
    }
}
