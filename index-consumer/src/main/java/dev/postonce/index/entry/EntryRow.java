package dev.postonce.index.entry;

import dev.postonce.index.event.IndexEvent;
import dev.postonce.index.event.IndexKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code "index".entry}.
 *
 * @param document the event's data as it came; null for a tombstone
 */
public record EntryRow(
        IndexKind kind,
        String recordKey,
        String tenantId,
        long version,
        String contentDigest,
        @Nullable String document,
        Instant occurredAt) {

    public boolean deleted() {
        return document == null;
    }

    public static EntryRow of(IndexEvent.OfEntry event) {
        return new EntryRow(
                event.kind(),
                event.envelope().recordKey().toString(),
                event.envelope().recordKey().tenantId(),
                event.envelope().aggregateVersion(),
                event.contentDigest(),
                event.deleted() ? null : event.envelope().data(),
                event.envelope().time());
    }
}
