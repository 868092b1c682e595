package dev.postonce.dispatch.connector;

import org.jspecify.annotations.Nullable;

/** What a platform says when it is asked what an attempt did. */
public sealed interface LookUp {

    /** It shows what became of it; never {@link Outcome.Unknown}, {@link Outcome.NotSent} or a rate limit. */
    record Settled(Outcome outcome) implements LookUp {}

    /** A complete answer in which the attempt left no trace. One alone proves nothing: it may still be on its way. */
    record Absent() implements LookUp {}

    /** An error, a page cap, or an answer that leaves something out. */
    record Inconclusive(String code, @Nullable String detail) implements LookUp {}
}
