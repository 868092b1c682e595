package dev.postonce.contract;

import java.util.List;

/**
 * The data of {@code dev.postonce.key.state.v1}: one API key, never the key itself.
 *
 * @param clientId whom the key belongs to; survives a rotation
 * @param secretDigest SHA-256 of pepper and secret, 64 hex digits
 * @param scopes of {@code submit}, {@code read}, {@code ops}
 * @param deleted whether the key is revoked
 */
public record KeyState(
        String tenantId,
        String keyId,
        long version,
        boolean deleted,
        String clientId,
        String secretDigest,
        List<String> scopes,
        String contentDigest) {}
