package dev.postonce.ingest.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An audit row as a tenant may read it. */
public record AuditEntry(
        long id,
        Instant at,
        @Nullable String clientId,
        @Nullable String keyId,
        String requestId,
        String route,
        String outcome,
        int statusCode,
        @Nullable String errorCode,
        @Nullable Long version,
        @Nullable String idempotencyKeyPrefix,
        @Nullable String detail) {}
