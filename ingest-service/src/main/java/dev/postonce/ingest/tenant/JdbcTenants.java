package dev.postonce.ingest.tenant;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.tenant.BootstrapFile.Site;
import dev.postonce.ingest.tenant.BootstrapFile.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tenants, their sites and their keys. */
public final class JdbcTenants {

    // The transaction's end gives it back; two instances that start together take turns.
    private static final String TAKE_TURNS = "select pg_advisory_xact_lock(hashtext('postonce-ingest-tenants'))";

    private static final String UPSERT_TENANT =
            """
            insert into ingest.tenant (tenant_id, name, environment, rate_per_second)
            values (:tenant_id, :name, :environment, cast(:rate as int))
            on conflict (tenant_id) do update
            set name = excluded.name, environment = excluded.environment, rate_per_second = excluded.rate_per_second,
                updated_at = now()
            """;

    private static final String CALLBACK_SECRET =
            "select callback_secret_ciphertext from ingest.tenant where tenant_id = :tenant_id";

    private static final String SET_CALLBACK_SECRET =
            """
            update ingest.tenant set callback_secret_ciphertext = :ciphertext, updated_at = now()
            where tenant_id = :tenant_id
            """;

    private static final String UPSERT_SITE =
            """
            insert into ingest.site (tenant_id, site, base_url, url_pattern)
            values (:tenant_id, :site, :base_url, :url_pattern)
            on conflict (tenant_id, site) do update
            set base_url = excluded.base_url, url_pattern = excluded.url_pattern
            """;

    private static final String SELECT_KEY =
            """
            select k.tenant_id, k.key_id, k.client_id, k.version, k.deleted, k.secret_digest, k.scopes,
              coalesce(k.rate_per_second, t.rate_per_second) as rate_per_second
            from ingest.api_key k join ingest.tenant t on t.tenant_id = k.tenant_id
            where k.key_id = :key_id
            """;

    private static final String UPSERT_KEY =
            """
            insert into ingest.api_key (key_id, tenant_id, client_id, version, deleted, secret_digest, scopes,
              rate_per_second)
            values (:key_id, :tenant_id, :client_id, :version, :deleted, :secret_digest, :scopes, cast(:rate as int))
            on conflict (key_id) do update
            set client_id = excluded.client_id, version = excluded.version, deleted = excluded.deleted,
                secret_digest = excluded.secret_digest, scopes = excluded.scopes, updated_at = now()
            """;

    private static final String NOTE_USES =
            """
            update ingest.api_key k set last_used_at = u.at
            from unnest(cast(:keys as text[]), cast(cast(:times as text[]) as timestamptz[])) as u (key_id, at)
            where k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at)
            """;

    private final JdbcClient jdbc;

    public JdbcTenants(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** When keys were used last; an earlier time than the known one changes nothing. */
    void noteUses(Map<String, Instant> lastByKeyId) {
        List<String> keys = new ArrayList<>();
        List<String> times = new ArrayList<>();
        lastByKeyId.forEach((key, at) -> {
            keys.add(key);
            times.add(at.toString());
        });
        jdbc.sql(NOTE_USES)
                .paramSource(new JdbcParameters().texts("keys", keys).texts("times", times))
                .update();
    }

    void takeTurns() {
        jdbc.sql(TAKE_TURNS).query((row, number) -> Boolean.TRUE).single();
    }

    void save(Tenant tenant) {
        jdbc.sql(UPSERT_TENANT)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenant.tenantId())
                        .text("name", tenant.name())
                        .text("environment", tenant.environment())
                        .number("rate", asLong(tenant.ratePerSecond())))
                .update();
        for (Site site : tenant.sites()) {
            jdbc.sql(UPSERT_SITE)
                    .paramSource(new JdbcParameters()
                            .text("tenant_id", tenant.tenantId())
                            .text("site", site.site())
                            .text("base_url", site.baseUrl())
                            .text("url_pattern", site.urlPattern()))
                    .update();
        }
    }

    /** Encrypted for the purpose {@code callback_secret:<tenant id>}; empty where the tenant has none. */
    public Optional<byte[]> callbackSecret(String tenantId) {
        return jdbc.sql(CALLBACK_SECRET)
                .param("tenant_id", tenantId)
                .query((row, number) -> Optional.ofNullable(row.getBytes(1)))
                .optional()
                .flatMap(secret -> secret);
    }

    void saveCallbackSecret(String tenantId, byte[] ciphertext) {
        jdbc.sql(SET_CALLBACK_SECRET)
                .param("tenant_id", tenantId)
                .param("ciphertext", ciphertext)
                .update();
    }

    Optional<StoredKey> key(String keyId) {
        return jdbc.sql(SELECT_KEY)
                .param("key_id", keyId)
                .query(JdbcTenants::keyOf)
                .optional();
    }

    /** A key that is there already keeps its rate. */
    void saveKey(StoredKey key) {
        jdbc.sql(UPSERT_KEY)
                .paramSource(new JdbcParameters()
                        .text("key_id", key.keyId())
                        .text("tenant_id", key.tenantId())
                        .text("client_id", key.clientId())
                        .number("version", key.version())
                        .flag("deleted", key.deleted())
                        .text("secret_digest", key.secretDigest())
                        .texts("scopes", key.scopes())
                        .number("rate", asLong(key.ratePerSecond())))
                .update();
    }

    private static @Nullable Long asLong(@Nullable Integer number) {
        return number == null ? null : number.longValue();
    }

    private static StoredKey keyOf(ResultSet row, int number) throws SQLException {
        return new StoredKey(
                row.getString("tenant_id"),
                row.getString("key_id"),
                row.getString("client_id"),
                row.getLong("version"),
                row.getBoolean("deleted"),
                row.getString("secret_digest"),
                Rows.texts(row, "scopes"),
                row.getObject("rate_per_second", Integer.class));
    }
}
