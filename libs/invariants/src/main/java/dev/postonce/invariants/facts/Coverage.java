package dev.postonce.invariants.facts;

import java.util.Set;

/**
 * What was read. A checker leaves out what it cannot judge.
 *
 * @param topics whether the topics were read from their beginning
 * @param sinks index sinks that were read whole
 * @param platforms wire names of the platforms whose posts were listed whole
 * @param trails whether audit, idempotency records, callbacks and the targets' histories were read
 * @param everyKey false when the reader was told to look at some keys only: then what belongs to no known key may
 *     belong to one that was left out
 */
public record Coverage(boolean topics, Set<IndexSink> sinks, Set<String> platforms, boolean trails, boolean everyKey) {

    public Coverage {
        sinks = Set.copyOf(sinks);
        platforms = Set.copyOf(platforms);
    }

    public Coverage(boolean topics, Set<IndexSink> sinks, Set<String> platforms, boolean everyKey) {
        this(topics, sinks, platforms, false, everyKey);
    }
}
