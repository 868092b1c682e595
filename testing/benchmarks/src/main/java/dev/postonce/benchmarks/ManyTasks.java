package dev.postonce.benchmarks;

import java.sql.SQLException;
import java.util.List;

/**
 * Fills a database with tasks as years of use leave them: articles, their accepted contents, a published target and an
 * audit row each. Of the content itself only a line, since no statement of a submission reads it.
 */
final class ManyTasks {

    private static final int STEP_ROWS = 500_000;

    private static final String TASKS =
            """
            insert into ingest.task (tenant_id, external_id, task_id, version, status, deleted, group_code, title,
              content_html, tags, target_platforms, content_digest, article_digest, submitted_digest, html_digest,
              sanitizer_policy, accepted_at, updated_at)
            select '%1$s', 'past_' || lpad(n::text, 12, '0'), cast(lpad(to_hex(n), 32, '0') as uuid), 1, 'active', false,
              'brand_official', 'Past article ' || n, '<p>Past article ' || n || '</p>', array['past'],
              array['wordpress'], repeat(md5(n::text), 2), repeat(md5(n::text), 2), repeat(md5(n::text), 2),
              repeat(md5(n::text), 2), 'benchmarks', t, t
            from (select n, timestamptz '2024-01-01' + n * interval '6 seconds' as t
              from generate_series(%2$d, %3$d) as n) as made
            """;

    private static final String CONTENTS =
            """
            insert into ingest.task_content (tenant_id, external_id, submitted_digest, article_digest, task_version,
              media, raw_content, sanitizer_policy, accepted_at)
            select '%1$s', 'past_' || lpad(n::text, 12, '0'), repeat(md5(n::text), 2), repeat(md5(n::text), 2), 1, 'html',
              '<p>Past article ' || n || '</p>', 'benchmarks', timestamptz '2024-01-01' + n * interval '6 seconds'
            from generate_series(%2$d, %3$d) as n
            """;

    private static final String TARGETS =
            """
            insert into ingest.target (tenant_id, external_id, platform, state, task_version, shown_task_version,
              created_at, updated_at)
            select '%1$s', 'past_' || lpad(n::text, 12, '0'), 'wordpress', 'published', 1, 1, t, t
            from (select n, timestamptz '2024-01-01' + n * interval '6 seconds' as t
              from generate_series(%2$d, %3$d) as n) as made
            """;

    private static final String AUDITS =
            """
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              external_id, resource_version, payload_digest)
            select timestamptz '2024-01-01' + n * interval '6 seconds', '%1$s', 'load', 'past', 'past-' || n,
              'POST /v1/tasks', 'created', 201, 'past_' || lpad(n::text, 12, '0'), 1, repeat(md5(n::text), 2)
            from generate_series(%2$d, %3$d) as n
            """;

    private ManyTasks() {}

    static void fill(Server server, String database, long rows) throws SQLException {
        // Random digests fill this index last and at once; the others grow at their end.
        server.execute(database, "drop index if exists ingest.task_same_content");
        for (long from = 1; from <= rows; from += STEP_ROWS) {
            long to = Math.min(rows, from + STEP_ROWS - 1);
            for (String sql : List.of(TASKS, CONTENTS, TARGETS, AUDITS)) {
                server.execute(
                        database, "set session_replication_role = replica; " + sql.formatted(Service.TENANT, from, to));
            }
            System.err.printf("  %,d of %,d tasks%n", to, rows);
        }
        server.execute(
                database,
                "set maintenance_work_mem = '512MB';"
                        + " create index task_same_content on ingest.task (tenant_id, group_code, html_digest)");
        server.execute(database, "vacuum (freeze, analyze) ingest.task");
        for (String table : List.of("task_content", "target", "audit")) {
            server.execute(database, "vacuum (analyze) ingest." + table);
        }
        server.execute(database, "checkpoint");
    }
}
