package dev.postonce.ingest.tenant;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ingest.api_key}.
 *
 * @param ratePerSecond its own or its tenant's; null for the default
 */
record StoredKey(
        String tenantId,
        String keyId,
        String clientId,
        long version,
        boolean deleted,
        String secretDigest,
        List<String> scopes,
        @Nullable Integer ratePerSecond) {

    StoredKey revoked() {
        return new StoredKey(tenantId, keyId, clientId, version + 1, true, secretDigest, scopes, ratePerSecond);
    }
}
