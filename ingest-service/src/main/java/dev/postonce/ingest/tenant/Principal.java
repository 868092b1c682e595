package dev.postonce.ingest.tenant;

import java.util.Set;

/**
 * Who calls.
 *
 * @param clientId survives the rotation of keys
 */
public record Principal(String tenantId, String clientId, String keyId, Set<String> scopes) {

    public boolean may(Scope scope) {
        return scopes.contains(scope.wireName());
    }
}
