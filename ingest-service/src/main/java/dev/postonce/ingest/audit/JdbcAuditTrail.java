package dev.postonce.ingest.audit;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.tenant.Principal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What went wrong with a tenant's requests and what its operators did; and what people wrote of it afterwards. */
final class JdbcAuditTrail {

    // The first condition is the index's own, word for word.
    private static final String PAGE =
            """
            select a.id, a.at, a.client_id, a.key_id, a.request_id, a.route, a.outcome, a.status_code, a.error_code,
              a.external_id, a.group_ref, a.resource_version, a.idempotency_key_prefix, a.payload_digest, a.detail,
              f.note, f.at as noted_at, f.client_id as noted_by
            from ingest.audit a left join ingest.audit_follow_up f on f.audit_id = a.id and f.tenant_id = a.tenant_id
            where (a.outcome in ('conflict', 'refused', 'failed') or (a.external_id is null and a.group_ref is null))
              and a.tenant_id = :tenant_id and a.id < :before_id
              and (cast(:outcome as text) is null or a.outcome = :outcome)
              and (cast(:error_code as text) is null or a.error_code = :error_code)
              and (not :open or (f.audit_id is null and a.outcome in ('conflict', 'refused', 'failed')))
            order by a.id desc limit :limit
            """;

    private static final String ONE =
            """
            select a.id, a.at, a.client_id, a.key_id, a.request_id, a.route, a.outcome, a.status_code, a.error_code,
              a.external_id, a.group_ref, a.resource_version, a.idempotency_key_prefix, a.payload_digest, a.detail,
              f.note, f.at as noted_at, f.client_id as noted_by
            from ingest.audit a left join ingest.audit_follow_up f on f.audit_id = a.id and f.tenant_id = a.tenant_id
            where a.tenant_id = :tenant_id and a.id = :id
            """;

    private static final String FOLLOW_UP =
            """
            insert into ingest.audit_follow_up (audit_id, tenant_id, note, at, client_id, key_id)
            select id, tenant_id, :note, :at, :client_id, :key_id from ingest.audit
            where tenant_id = :tenant_id and id = :id
            on conflict (audit_id) do nothing
            """;

    /** @param open whether only what nobody has followed up */
    record Filter(@Nullable String outcome, @Nullable String errorCode, boolean open) {}

    /** @param note null where nobody has followed it up */
    record Row(
            AuditEntry entry,
            @Nullable String externalId,
            @Nullable String groupRef,
            @Nullable String payloadDigest,
            @Nullable String note,
            @Nullable Instant notedAt,
            @Nullable String notedBy) {}

    private final JdbcClient jdbc;

    JdbcAuditTrail(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Newest first. */
    List<Row> page(String tenantId, Filter filter, long beforeId, int limit) {
        return jdbc.sql(PAGE)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .number("before_id", beforeId)
                        .text("outcome", filter.outcome())
                        .text("error_code", filter.errorCode())
                        .flag("open", filter.open())
                        .number("limit", (long) limit))
                .query(JdbcAuditTrail::rowOf)
                .list();
    }

    Optional<Row> one(String tenantId, long id) {
        return jdbc.sql(ONE)
                .paramSource(new JdbcParameters().text("tenant_id", tenantId).number("id", id))
                .query(JdbcAuditTrail::rowOf)
                .optional();
    }

    /** False where the tenant has no such row, or somebody was earlier. */
    boolean followUp(Principal caller, long id, String note, Instant at) {
        return jdbc.sql(FOLLOW_UP)
                        .paramSource(new JdbcParameters()
                                .text("tenant_id", caller.tenantId())
                                .number("id", id)
                                .text("note", note)
                                .time("at", at)
                                .text("client_id", caller.clientId())
                                .text("key_id", caller.keyId()))
                        .update()
                == 1;
    }

    private static Row rowOf(ResultSet row, int number) throws SQLException {
        return new Row(
                JdbcAudit.entryOf(row, number),
                row.getString("external_id"),
                row.getString("group_ref"),
                row.getString("payload_digest"),
                row.getString("note"),
                Rows.time(row, "noted_at"),
                row.getString("noted_by"));
    }
}
