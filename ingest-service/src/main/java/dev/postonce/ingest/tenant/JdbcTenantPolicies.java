package dev.postonce.ingest.tenant;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.ingest.tenant.TenantPolicy.ContentPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.DuplicatePolicy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The rows of {@code ingest.tenant_policy}; a tenant without one has the defaults. */
public final class JdbcTenantPolicies {

    private static final String SELECT =
            """
            select duplicate_policy, content_policy, check_levels from ingest.tenant_policy where tenant_id = :tenant_id
            """;

    private static final String UPSERT =
            """
            insert into ingest.tenant_policy (tenant_id, duplicate_policy, content_policy, check_levels)
            values (:tenant_id, :duplicate_policy, :content_policy, :check_levels)
            on conflict (tenant_id) do update
            set duplicate_policy = excluded.duplicate_policy, content_policy = excluded.content_policy,
                check_levels = excluded.check_levels, updated_at = now()
            """;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final JdbcClient jdbc;

    public JdbcTenantPolicies(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public Optional<TenantPolicy> find(String tenantId) {
        return jdbc.sql(SELECT)
                .param("tenant_id", tenantId)
                .query(JdbcTenantPolicies::policyOf)
                .optional();
    }

    public void save(String tenantId, TenantPolicy policy) {
        ObjectNode levels = MAPPER.createObjectNode();
        policy.checkLevels().forEach((code, level) -> levels.put(code, level.wireName()));
        jdbc.sql(UPSERT)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .text("duplicate_policy", policy.duplicates().wireName())
                        .text("content_policy", policy.content().wireName())
                        .text("check_levels", levels.toString()))
                .update();
    }

    private static TenantPolicy policyOf(ResultSet row, int number) throws SQLException {
        Map<String, CheckLevel> levels = new LinkedHashMap<>();
        MAPPER.readTree(row.getString("check_levels")).properties().forEach(entry -> CheckLevel.of(
                        entry.getValue().asString(""))
                .ifPresent(level -> levels.put(entry.getKey(), level)));
        return new TenantPolicy(
                DuplicatePolicy.valueOf(row.getString("duplicate_policy").toUpperCase(Locale.ROOT)),
                ContentPolicy.valueOf(row.getString("content_policy").toUpperCase(Locale.ROOT)),
                levels);
    }
}
