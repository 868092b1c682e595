package dev.postonce.dispatch.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of the dispatchers that share the ledger. */
interface Senders {

    /**
     * What is known of a sender.
     *
     * @param doneAt since when it certainly sends nothing; null if it may
     * @param alive whether its heartbeat is fresh
     */
    record Fate(@Nullable Instant doneAt, boolean alive) {}

    /** This one. */
    UUID id();

    /** A sender of which nothing is written down may still send. */
    Fate fateOf(UUID owner, Duration stale);
}
