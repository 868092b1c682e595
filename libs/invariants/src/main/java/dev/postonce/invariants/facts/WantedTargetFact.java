package dev.postonce.invariants.facts;

/**
 * A platform that a task names.
 *
 * @param calledBack whether the task has a callback URL
 */
public record WantedTargetFact(TargetKey key, boolean calledBack) {}
