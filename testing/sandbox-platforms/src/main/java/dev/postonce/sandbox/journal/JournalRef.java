package dev.postonce.sandbox.journal;

/** Where a line of the journal stands, so that bodies need not be held in memory. */
public record JournalRef(long offset, int lengthBytes) {}
