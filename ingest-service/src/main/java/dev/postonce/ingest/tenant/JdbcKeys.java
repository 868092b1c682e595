package dev.postonce.ingest.tenant;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A tenant's keys, as its operators see them. */
final class JdbcKeys {

    private static final int LISTED_MAX = 1_000;

    private static final String LIST =
            """
            select key_id, client_id, version, deleted, secret_digest, scopes, rate_per_second, created_at, updated_at,
              last_used_at
            from ingest.api_key where tenant_id = :tenant_id
            order by client_id, created_at desc, key_id limit :limit
            """;

    private static final String ONE =
            """
            select key_id, client_id, version, deleted, secret_digest, scopes, rate_per_second, created_at, updated_at,
              last_used_at
            from ingest.api_key where tenant_id = :tenant_id and key_id = :key_id
            """;

    private static final String ACTIVE_OF_CLIENT =
            """
            select count(*) from ingest.api_key
            where tenant_id = :tenant_id and client_id = :client_id and not deleted
            """;

    private static final String OTHER_OPS_KEYS =
            """
            select count(*) from ingest.api_key
            where tenant_id = :tenant_id and key_id <> :key_id and not deleted and 'ops' = any (scopes)
            """;

    private static final String ENVIRONMENT = "select environment from ingest.tenant where tenant_id = :tenant_id";

    /** @param revokedAt null while the key works */
    record Listed(StoredKey key, Instant createdAt, @Nullable Instant revokedAt, @Nullable Instant lastUsedAt) {}

    private final JdbcClient jdbc;

    JdbcKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Listed> list(String tenantId) {
        return jdbc.sql(LIST)
                .paramSource(new JdbcParameters().text("tenant_id", tenantId).number("limit", (long) LISTED_MAX))
                .query((row, number) -> listed(tenantId, row))
                .list();
    }

    Optional<Listed> one(String tenantId, String keyId) {
        return jdbc.sql(ONE)
                .paramSource(new JdbcParameters().text("tenant_id", tenantId).text("key_id", keyId))
                .query((row, number) -> listed(tenantId, row))
                .optional();
    }

    long activeOfClient(String tenantId, String clientId) {
        return jdbc.sql(ACTIVE_OF_CLIENT)
                .paramSource(new JdbcParameters().text("tenant_id", tenantId).text("client_id", clientId))
                .query(Long.class)
                .single();
    }

    boolean isLastForOps(String tenantId, String keyId) {
        return jdbc.sql(OTHER_OPS_KEYS)
                        .paramSource(
                                new JdbcParameters().text("tenant_id", tenantId).text("key_id", keyId))
                        .query(Long.class)
                        .single()
                == 0;
    }

    String environment(String tenantId) {
        return jdbc.sql(ENVIRONMENT)
                .paramSource(new JdbcParameters().text("tenant_id", tenantId))
                .query(String.class)
                .single();
    }

    private static Listed listed(String tenantId, ResultSet row) throws SQLException {
        StoredKey key = new StoredKey(
                tenantId,
                row.getString("key_id"),
                row.getString("client_id"),
                row.getLong("version"),
                row.getBoolean("deleted"),
                row.getString("secret_digest"),
                Rows.texts(row, "scopes"),
                row.getObject("rate_per_second", Integer.class));
        Instant updatedAt = Rows.requiredTime(row, "updated_at");
        return new Listed(
                key,
                Rows.requiredTime(row, "created_at"),
                key.deleted() ? updatedAt : null,
                Rows.time(row, "last_used_at"));
    }
}
