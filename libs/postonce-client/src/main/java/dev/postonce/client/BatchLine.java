package dev.postonce.client;

import org.jspecify.annotations.Nullable;

/**
 * One submission of many.
 *
 * @param body a task as JSON
 * @param idempotencyKey kept over all tries; null lets the service recognise it by its content
 */
public record BatchLine(String body, @Nullable String idempotencyKey) {}
