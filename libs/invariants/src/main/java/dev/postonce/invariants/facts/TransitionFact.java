package dev.postonce.invariants.facts;

/**
 * A change of state that targets made, as the dispatcher's events tell it. There are few different ones, so one target
 * stands for all that made it.
 *
 * @param version that one of them came to by it
 * @param from the state at the version before
 */
public record TransitionFact(TargetKey key, long version, String from, String to) {}
