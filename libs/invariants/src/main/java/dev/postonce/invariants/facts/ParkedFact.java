package dev.postonce.invariants.facts;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A listed reason why an event did not arrive somewhere: parked, superseded or given up.
 *
 * @param by who lists it: {@code relay}, {@code index}, {@code dispatch} or {@code ingest}
 * @param version of the event; null where the record could not be read that far
 */
public record ParkedFact(AggregateKey key, By by, @Nullable UUID eventId, @Nullable Long version, String reason) {

    /** Where the event stopped. */
    public enum By {
        RELAY,
        INDEX,
        DISPATCH,
        INGEST
    }
}
