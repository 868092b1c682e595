package dev.postonce.ingest.intake;

import dev.postonce.ingest.storage.Rows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Intake secrets as they are stored. */
public final class JdbcIntakeSecrets {

    private static final String BY_KEY_ID =
            """
            select key_id, tenant_id, client_id, ciphertext, revoked_at is not null as revoked
            from ingest.intake_secret where key_id = :key_id
            """;

    // Clients take turns until the transaction ends, so that two at once do not make a third active one.
    private static final String TAKE_TURNS =
            "select pg_advisory_xact_lock(hashtextextended('intake_secret/' || :tenant_id || '/' || :client_id, 0))";

    private static final String COUNT_ACTIVE =
            """
            select count(*) from ingest.intake_secret
            where tenant_id = :tenant_id and client_id = :client_id and revoked_at is null
            """;

    private static final String LIST =
            """
            select key_id, client_id, created_at, revoked_at
            from ingest.intake_secret where tenant_id = :tenant_id
            order by client_id, created_at, key_id limit 1000
            """;

    private static final String INSERT =
            """
            insert into ingest.intake_secret (key_id, tenant_id, client_id, ciphertext)
            values (:key_id, :tenant_id, :client_id, :ciphertext)
            """;

    private static final String REVOKE =
            """
            update ingest.intake_secret set revoked_at = now()
            where tenant_id = :tenant_id and key_id = :key_id and revoked_at is null
            """;

    record Stored(String keyId, String tenantId, String clientId, byte[] ciphertext, boolean revoked) {}

    /** @param revokedAt null while it works */
    record Listed(String keyId, String clientId, Instant createdAt, @Nullable Instant revokedAt) {}

    private final JdbcClient jdbc;

    public JdbcIntakeSecrets(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Stored> byKeyId(String keyId) {
        return jdbc.sql(BY_KEY_ID)
                .param("key_id", keyId)
                .query((row, number) -> new Stored(
                        row.getString("key_id"),
                        row.getString("tenant_id"),
                        row.getString("client_id"),
                        row.getBytes("ciphertext"),
                        row.getBoolean("revoked")))
                .optional();
    }

    List<Listed> list(String tenantId) {
        return jdbc.sql(LIST)
                .param("tenant_id", tenantId)
                .query((row, number) -> new Listed(
                        row.getString("key_id"),
                        row.getString("client_id"),
                        Rows.requiredTime(row, "created_at"),
                        Rows.time(row, "revoked_at")))
                .list();
    }

    /** How many a client has, none of which another transaction changes meanwhile. */
    long countActive(String tenantId, String clientId) {
        jdbc.sql(TAKE_TURNS)
                .param("tenant_id", tenantId)
                .param("client_id", clientId)
                .query((row, number) -> Boolean.TRUE)
                .single();
        return jdbc.sql(COUNT_ACTIVE)
                .param("tenant_id", tenantId)
                .param("client_id", clientId)
                .query(Long.class)
                .single();
    }

    void insert(Stored secret) {
        jdbc.sql(INSERT)
                .param("key_id", secret.keyId())
                .param("tenant_id", secret.tenantId())
                .param("client_id", secret.clientId())
                .param("ciphertext", secret.ciphertext())
                .update();
    }

    boolean revoke(String tenantId, String keyId) {
        return jdbc.sql(REVOKE)
                        .param("tenant_id", tenantId)
                        .param("key_id", keyId)
                        .update()
                == 1;
    }
}
