package dev.postonce.ingest.callback;

import org.jspecify.annotations.Nullable;

/**
 * The callback that a lane sends now.
 *
 * @param url the task's present callback URL; null when it has none any more
 * @param endpointGone whether the URL answered 410 before
 * @param attempts made, the one that begins now among them
 */
record DueCallback(
        String webhookId,
        String platform,
        long sequence,
        String body,
        @Nullable String url,
        boolean endpointGone,
        int attempts) {}
