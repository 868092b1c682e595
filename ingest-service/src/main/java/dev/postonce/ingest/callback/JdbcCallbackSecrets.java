package dev.postonce.ingest.callback;

import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The secrets that sign a tenant's callbacks; at rest they are encrypted. */
public final class JdbcCallbackSecrets {

    private static final String SELECT =
            """
            select callback_secret_ciphertext as ciphertext, true as present from ingest.tenant
            where tenant_id = :tenant and callback_secret_ciphertext is not null
            union all
            select ciphertext, false from ingest.callback_secret where tenant_id = :tenant and signs_until > now()
            order by present desc
            """;

    private static final String SIGNING =
            """
            select cast(null as timestamptz) as signs_until from ingest.tenant
            where tenant_id = :tenant and callback_secret_ciphertext is not null
            union all
            select signs_until from ingest.callback_secret where tenant_id = :tenant and signs_until > now()
            order by signs_until desc nulls first
            """;

    private static final String KEEP_OLD =
            """
            insert into ingest.callback_secret (tenant_id, ciphertext, signs_until)
            select tenant_id, callback_secret_ciphertext, now() + :keep * interval '1 millisecond'
            from ingest.tenant where tenant_id = :tenant and callback_secret_ciphertext is not null
            """;

    private static final String DROP_ENDED =
            "delete from ingest.callback_secret where tenant_id = :tenant and signs_until <= now()";

    private static final String SET =
            """
            update ingest.tenant set callback_secret_ciphertext = :ciphertext, updated_at = now()
            where tenant_id = :tenant
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final SecretCipher cipher;

    public JdbcCallbackSecrets(JdbcClient jdbc, TransactionTemplate transaction, SecretCipher cipher) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.cipher = cipher;
    }

    /** @param signsUntil null for the present one */
    record Signing(@Nullable Instant signsUntil) {}

    /** Whether there is a key to encrypt with. */
    boolean canKeep() {
        return cipher.isUsable();
    }

    /** Which secrets sign, without themselves. */
    List<Signing> signing(String tenantId) {
        return jdbc.sql(SIGNING)
                .param("tenant", tenantId)
                .query((row, number) -> new Signing(Rows.time(row, "signs_until")))
                .list();
    }

    /** The present one first; empty if the tenant has none. */
    List<Secret> of(String tenantId) {
        return jdbc
                .sql(SELECT)
                .param("tenant", tenantId)
                .query((row, number) -> row.getBytes("ciphertext"))
                .list()
                .stream()
                .map(ciphertext -> cipher.decrypt(ciphertext, purpose(tenantId)))
                .toList();
    }

    /**
     * Sets a tenant's secret. The one before goes on signing beside it, so that receivers can change over.
     *
     * @param keepOld how long the old one signs
     * @throws IllegalArgumentException if it is not a secret of Standard Webhooks, or the tenant is unknown
     */
    public void set(String tenantId, Secret secret, Duration keepOld) {
        WebhookSignature.keyOf(secret);
        byte[] ciphertext = cipher.encrypt(secret, purpose(tenantId));
        transaction.executeWithoutResult(status -> {
            jdbc.sql(DROP_ENDED).param("tenant", tenantId).update();
            jdbc.sql(KEEP_OLD)
                    .param("tenant", tenantId)
                    .param("keep", keepOld.toMillis())
                    .update();
            int rows = jdbc.sql(SET)
                    .param("tenant", tenantId)
                    .param("ciphertext", ciphertext)
                    .update();
            if (rows == 0) {
                throw new IllegalArgumentException("no tenant " + tenantId);
            }
        });
    }

    private static String purpose(String tenantId) {
        return "callback_secret:" + tenantId;
    }
}
