package dev.postonce.ingest.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.ingest.target.TargetEvent.TaskId;
import dev.postonce.ingest.target.TellingRules.Said;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The rows of {@code ingest.target}, and the tasks that they belong to. */
final class JdbcTargets {

    /** In one order for all, so that two batches wait for each other rather than deadlock. */
    private static final String LOCK_TASKS =
            """
            select tenant_id, external_id, callback_url, business_ref_id from ingest.task
            where (tenant_id, external_id) in (select * from unnest(?::text[], ?::text[]))
            order by tenant_id, external_id
            for no key update
            """;

    /** What was told last stands in the text that is sent, whether it arrived, waits, or was parked. */
    private static final String SAID =
            """
            select t.tenant_id, t.external_id, t.platform, said.status, (said.body ->> 'task_version')::bigint,
                   said.body ->> 'platform_url', said.body ->> 'error_code'
            from unnest(?::text[], ?::text[], ?::text[]) as t (tenant_id, external_id, platform)
            cross join lateral (
              select c.status, c.body::jsonb as body from ingest.callback c
              where c.tenant_id = t.tenant_id and c.external_id = t.external_id and c.platform = t.platform
              order by c.dispatch_version desc limit 1) said
            """;

    /**
     * The dispatcher's version decides, so a late event changes nothing. What a target should show is intake's to
     * say, and never goes back.
     */
    private static final String MOVE =
            """
            insert into ingest.target as t
              (tenant_id, external_id, platform, state, task_version, shown_task_version, dispatch_version, account,
               platform_post_id, platform_url, observed_at, error_code, error_detail, updated_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (tenant_id, external_id, platform) do update
            set state = excluded.state, task_version = greatest(t.task_version, excluded.task_version),
                shown_task_version = excluded.shown_task_version, dispatch_version = excluded.dispatch_version,
                account = excluded.account, platform_post_id = excluded.platform_post_id,
                platform_url = excluded.platform_url, observed_at = excluded.observed_at,
                error_code = excluded.error_code, error_detail = excluded.error_detail,
                updated_at = excluded.updated_at
            where t.dispatch_version < excluded.dispatch_version
            """;

    private final JdbcTemplate jdbc;

    JdbcTargets(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** What a callback needs of a task. */
    record TaskRow(@Nullable String callbackUrl, @Nullable String businessRefId) {}

    /** Locks the rows until the transaction ends; tasks that do not exist are not among them. */
    Map<TaskId, TaskRow> lockTasks(Collection<TaskId> tasks) {
        Map<TaskId, TaskRow> result = new HashMap<>();
        jdbc.query(
                LOCK_TASKS,
                row -> {
                    result.put(
                            new TaskId(row.getString("tenant_id"), row.getString("external_id")),
                            new TaskRow(row.getString("callback_url"), row.getString("business_ref_id")));
                },
                tasks.stream().map(TaskId::tenantId).toArray(String[]::new),
                tasks.stream().map(TaskId::externalId).toArray(String[]::new));
        return result;
    }

    /** What the upstream was told of each target last, by record key. */
    Map<String, Said> said(Collection<DispatchState> targets) {
        Map<String, Said> result = new HashMap<>();
        jdbc.query(
                SAID,
                row -> {
                    String key = row.getString(1) + ":" + row.getString(2) + "/" + row.getString(3);
                    result.put(key, new Said(row.getString(4), row.getLong(5), row.getString(6), row.getString(7)));
                },
                targets.stream().map(DispatchState::tenantId).toArray(String[]::new),
                targets.stream().map(DispatchState::externalId).toArray(String[]::new),
                targets.stream().map(DispatchState::platform).toArray(String[]::new));
        return result;
    }

    void move(Collection<DispatchState> targets) {
        List<Object[]> rows = targets.stream()
                .map(target -> new @Nullable Object[] {
                    target.tenantId(),
                    target.externalId(),
                    target.platform(),
                    target.state(),
                    target.taskVersion(),
                    target.shownTaskVersion(),
                    target.version(),
                    target.account(),
                    target.platformPostId(),
                    target.platformUrl(),
                    timestamp(target.observedAt()),
                    target.errorCode(),
                    target.errorDetail(),
                    timestamp(target.changedAt())
                })
                .toList();
        jdbc.batchUpdate(MOVE, rows);
    }

    private static @Nullable Timestamp timestamp(@Nullable Instant instant) {
        return instant == null ? null : Timestamp.from(instant);
    }
}
