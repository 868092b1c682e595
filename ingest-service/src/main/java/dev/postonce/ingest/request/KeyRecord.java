package dev.postonce.ingest.request;

import java.time.Instant;

/**
 * What a key was first used for.
 *
 * @param resourceRef an external id, or {@code operation/normalized_group_id}
 */
public record KeyRecord(String payloadDigest, String resourceRef, Instant expiresAt) {

    public boolean isExpired(Instant now) {
        return !expiresAt.isAfter(now);
    }
}
