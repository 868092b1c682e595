package dev.postonce.ingest.tenant;

import java.util.List;

/** A row of {@code ingest.api_key}. */
record StoredKey(
        String tenantId,
        String keyId,
        String clientId,
        long version,
        boolean deleted,
        String secretDigest,
        List<String> scopes) {}
