package dev.postonce.ingest.request;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Idempotency records by themselves; they are written by the statements that write what they stand for. */
public final class JdbcRequests {

    private static final String BY_KEY =
            """
            select route, state, outcome, status_code, resource_kind, resource_ref, resource_id, created_at, expires_at
            from ingest.idempotency_record
            where tenant_id = :tenant_id and client_id = :client_id and key_digest = :key_digest
              and expires_at > :now
            order by created_at
            """;

    private static final String FORGET_EXPIRED =
            """
            delete from ingest.idempotency_record
            where tenant_id = :tenant_id and client_id = :key_client and key_digest = :key_digest
              and route = :key_route and expires_at <= :key_now
            """;

    private static final String SWEEP =
            """
            delete from ingest.idempotency_record where ctid = any (array(
              select ctid from ingest.idempotency_record where expires_at <= :now
              order by expires_at limit :limit for update skip locked))
            """;

    /** What a client may see of a key that it used. */
    public record Remembered(
            String route,
            String state,
            String outcome,
            int statusCode,
            String resourceKind,
            String resourceRef,
            UUID resourceId,
            Instant createdAt,
            Instant expiresAt) {}

    private final JdbcClient jdbc;

    public JdbcRequests(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public List<Remembered> byKey(String tenantId, String clientId, String keyDigest, Instant now) {
        return jdbc.sql(BY_KEY)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .text("client_id", clientId)
                        .text("key_digest", keyDigest)
                        .time("now", now))
                .query(JdbcRequests::rememberedOf)
                .list();
    }

    /** Makes room for a key's new use, once its old one is past its published time. */
    public void forgetExpired(KeyBinding binding) {
        jdbc.sql(FORGET_EXPIRED).paramSource(binding.bind(new JdbcParameters())).update();
    }

    /** Removes expired records, the oldest first; returns how many. */
    public int sweep(Instant now, int limit) {
        return jdbc.sql(SWEEP)
                .paramSource(new JdbcParameters().time("now", now).number("limit", (long) limit))
                .update();
    }

    private static Remembered rememberedOf(ResultSet row, int number) throws SQLException {
        return new Remembered(
                row.getString("route"),
                row.getString("state"),
                row.getString("outcome"),
                row.getInt("status_code"),
                row.getString("resource_kind"),
                row.getString("resource_ref"),
                row.getObject("resource_id", UUID.class),
                Rows.requiredTime(row, "created_at"),
                Rows.requiredTime(row, "expires_at"));
    }
}
