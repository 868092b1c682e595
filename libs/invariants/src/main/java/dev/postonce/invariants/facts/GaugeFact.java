package dev.postonce.invariants.facts;

/**
 * What a gauge of a process says, beside the rows that it stands for.
 *
 * @param instance where the process answers
 * @param changedAtMs when those rows last changed; a gauge shows a sample, and may be older
 */
public record GaugeFact(String instance, String meter, double told, long counted, long changedAtMs) {}
