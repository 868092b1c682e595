package dev.postonce.invariants.facts;

/**
 * What is held of something that is to be given back.
 *
 * @param holder a process, by where it answers, or the database
 * @param resource such as {@code connections waited for in pool ingest-requests}
 * @param limit above which it was kept rather than used
 */
public record ResourceFact(String holder, String resource, double used, double limit) {}
