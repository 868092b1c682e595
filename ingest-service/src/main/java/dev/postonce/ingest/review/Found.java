package dev.postonce.ingest.review;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was found.
 *
 * @param subject an external id, a slug, a translation key or a request's route
 * @param detail what about it
 * @param at when it last happened
 * @param total how many there are of its kind, those that are not listed included
 */
record Found(String subject, String detail, @Nullable Instant at, long total) {}
