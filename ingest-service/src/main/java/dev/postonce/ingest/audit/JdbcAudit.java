package dev.postonce.ingest.audit;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Audit rows that stand alone: refusals; and what a tenant reads of its own. */
public final class JdbcAudit {

    private static final String INSERT =
            """
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            values (:audit_at, :audit_tenant, :audit_client, :audit_key_id, :audit_request, :audit_route,
              :audit_outcome, :audit_status, :audit_error, :audit_external_id, :audit_group, :audit_version,
              :audit_key_prefix, :audit_payload, :audit_detail)
            """;

    private static final String OF_TASK =
            """
            select id, at, client_id, key_id, request_id, route, outcome, status_code, error_code, resource_version,
              idempotency_key_prefix, detail
            from ingest.audit
            where tenant_id = :tenant_id and external_id = :external_id and id < :before_id
            order by id desc limit :limit
            """;

    private final JdbcClient jdbc;

    public JdbcAudit(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void write(AuditRow row) {
        jdbc.sql(INSERT).paramSource(row.bind(new JdbcParameters())).update();
    }

    /** Newest first. */
    public List<AuditEntry> ofTask(String tenantId, String externalId, long beforeId, int limit) {
        return jdbc.sql(OF_TASK)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .text("external_id", externalId)
                        .number("before_id", beforeId)
                        .number("limit", (long) limit))
                .query(JdbcAudit::entryOf)
                .list();
    }

    static AuditEntry entryOf(ResultSet row, int number) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                Rows.requiredTime(row, "at"),
                row.getString("client_id"),
                row.getString("key_id"),
                row.getString("request_id"),
                row.getString("route"),
                row.getString("outcome"),
                row.getInt("status_code"),
                row.getString("error_code"),
                Rows.number(row, "resource_version"),
                row.getString("idempotency_key_prefix"),
                row.getString("detail"));
    }
}
