package dev.postonce.ingest.callback;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What was sent, waits or is parked, for people and tools. */
public final class JdbcCallbackReads {

    private static final String TASK_EXISTS =
            """
            select exists (select from ingest.task where tenant_id = :tenant and external_id = :external_id)
            """;

    private static final String PAGE =
            """
            select webhook_id, platform, sequence, status, state, attempts, due_at, last_attempt_at, last_outcome,
                   last_status_code, created_at, settled_at
            from ingest.callback
            where tenant_id = :tenant and external_id = :external_id and sequence < :before
            order by sequence desc limit :limit
            """;

    private final JdbcClient jdbc;

    public JdbcCallbackReads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param status of the target, which the callback tells; {@code state} is the callback's own */
    record Entry(
            String webhookId,
            String platform,
            long sequence,
            String status,
            String state,
            int attempts,
            OffsetDateTime dueAt,
            @Nullable OffsetDateTime lastAttemptAt,
            @Nullable String lastOutcome,
            @Nullable Integer lastStatusCode,
            OffsetDateTime createdAt,
            @Nullable OffsetDateTime settledAt) {}

    /** Newest first; empty if the tenant has no such task. */
    Optional<List<Entry>> page(String tenantId, String externalId, long before, int limit) {
        boolean exists = jdbc.sql(TASK_EXISTS)
                .param("tenant", tenantId)
                .param("external_id", externalId)
                .query(Boolean.class)
                .single();
        if (!exists) {
            return Optional.empty();
        }
        return Optional.of(jdbc.sql(PAGE)
                .param("tenant", tenantId)
                .param("external_id", externalId)
                .param("before", before)
                .param("limit", limit)
                .query((row, number) -> new Entry(
                        row.getString("webhook_id"),
                        row.getString("platform"),
                        row.getLong("sequence"),
                        row.getString("status"),
                        row.getString("state"),
                        row.getInt("attempts"),
                        row.getObject("due_at", OffsetDateTime.class),
                        row.getObject("last_attempt_at", OffsetDateTime.class),
                        row.getString("last_outcome"),
                        row.getObject("last_status_code", Integer.class),
                        row.getObject("created_at", OffsetDateTime.class),
                        row.getObject("settled_at", OffsetDateTime.class)))
                .list());
    }
}
