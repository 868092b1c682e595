package dev.postonce.ingest.web;

/**
 * One thing that is wrong with a request.
 *
 * @param pointer JSON pointer into the body, {@code header:Name} or {@code query:name}
 * @param detail what is wrong, without quoting the value
 */
public record FieldError(String pointer, String detail) {}
