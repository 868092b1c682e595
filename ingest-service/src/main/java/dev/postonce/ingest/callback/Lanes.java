package dev.postonce.ingest.callback;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a worker asks of the lane that it has claimed. Each call is one transaction; none spans a request. */
interface Lanes {

    /** Empty when nothing of the lane is due, or the lane is another's by now. The attempt is counted before it is made. */
    Optional<DueCallback> begin(Lane lane);

    /**
     * Writes what became of an attempt, and gives the lane back unless its next callback is due already.
     *
     * @param next the delay before the next attempt; null parks what was not delivered
     * @param mayGoOn false when the worker is to stop after this one
     */
    Step finish(Lane lane, DueCallback callback, DeliveryOutcome outcome, @Nullable Duration next, boolean mayGoOn);

    /** Gives a lane back of which nothing was sent. */
    Step giveBack(Lane lane);

    /** What a worker does with its lane next. */
    enum Step {
        GO_ON,
        DONE,
        /** Another worker has claimed the lane meanwhile; nothing was written. */
        FENCED
    }
}
