package dev.postonce.invariants.facts;

/**
 * What a process has counted since it began, beside what is written down of that time. The counter is read first, and the
 * rows after it.
 *
 * @param instance where the process answers
 * @param atLeast rows that it alone can have written, and that are settled, less what it counted as failed
 * @param atMost rows from since it began, whoever wrote them
 */
public record CounterFact(String instance, String meter, double told, long atLeast, long atMost) {}
