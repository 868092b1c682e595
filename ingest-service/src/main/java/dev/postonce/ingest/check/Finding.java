package dev.postonce.ingest.check;

/**
 * Something about an article, before it is submitted.
 *
 * @param pointer JSON pointer to what it speaks of
 */
public record Finding(FindingKind kind, String pointer, String detail, String detailZh) {}
