package dev.postonce.ingest.audit;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code ingest.audit}. Statements that change something write it themselves, in their transaction.
 *
 * @param detail JSON that names fields and platforms, never what stood in them
 */
public record AuditRow(
        Exchange exchange,
        Instant at,
        Outcome outcome,
        int statusCode,
        @Nullable String errorCode,
        @Nullable Long resourceVersion,
        @Nullable String detail) {

    /** Binds the parameters {@code :audit_…} of a statement that writes an audit row. */
    public JdbcParameters bind(JdbcParameters parameters) {
        @Nullable Principal caller = exchange.principal();
        @Nullable IdempotencyKey key = exchange.idempotencyKey();
        return parameters
                .time("audit_at", at)
                .text("audit_tenant", caller == null ? null : caller.tenantId())
                .text("audit_client", caller == null ? null : caller.clientId())
                .text("audit_key_id", caller == null ? null : caller.keyId())
                .text("audit_request", exchange.requestId())
                .text("audit_route", exchange.route())
                .text("audit_outcome", outcome.wireName())
                .number("audit_status", (long) statusCode)
                .text("audit_error", errorCode)
                .text("audit_external_id", exchange.externalId())
                .text("audit_group", exchange.groupRef())
                .number("audit_version", resourceVersion)
                .text("audit_key_prefix", key == null ? null : key.prefix())
                .text("audit_payload", exchange.payloadDigest())
                .text("audit_detail", detail);
    }
}
