package dev.postonce.ingest.callback;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tasks for tests that are not about intake: what a test does not care for is filled in. */
public final class TestTasks {

    private static final String REQUIRED =
            """
            select column_name, data_type from information_schema.columns
            where table_schema = 'ingest' and table_name = 'task' and is_nullable = 'NO' and column_default is null
            """;

    private final JdbcTemplate jdbc;

    public TestTasks(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void tenant(String tenantId) {
        jdbc.update(
                "insert into ingest.tenant (tenant_id, name, environment) values (?, ?, 'dev') on conflict do nothing",
                tenantId,
                tenantId);
    }

    public void task(String tenantId, String externalId, @Nullable String callbackUrl) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        jdbc.query(REQUIRED, column -> {
            row.put(column.getString(1), filler(column.getString(2)));
        });
        row.put("tenant_id", tenantId);
        row.put("external_id", externalId);
        row.put("status", "active");
        row.put("deleted", false);
        row.put("callback_url", callbackUrl);
        row.put("business_ref_id", "ref-" + externalId);
        String columns = String.join(", ", row.keySet());
        String places = String.join(", ", row.keySet().stream().map(name -> "?").toList());
        jdbc.update(
                "insert into ingest.task (" + columns + ") values (" + places + ")",
                row.values().toArray());
    }

    private static Object filler(String type) {
        return switch (type) {
            case "uuid" -> UUID.randomUUID();
            case "bigint", "integer" -> 1;
            case "boolean" -> false;
            case "ARRAY" -> new String[0];
            case "timestamp with time zone" -> java.sql.Timestamp.valueOf("2026-11-11 00:00:00");
            default -> "x";
        };
    }
}
