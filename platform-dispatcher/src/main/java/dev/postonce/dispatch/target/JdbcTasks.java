package dev.postonce.dispatch.target;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.TaskState;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The newest state of each task, as its topic told it. */
public final class JdbcTasks implements Tasks {

    private static final String UPSERT =
            """
            insert into dispatch.task as t
              (tenant_id, external_id, version, article_digest, event_id, occurred_at, traceparent, data)
            values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (tenant_id, external_id) do update
            set version = excluded.version, article_digest = excluded.article_digest, event_id = excluded.event_id,
                occurred_at = excluded.occurred_at, traceparent = excluded.traceparent, data = excluded.data,
                updated_at = now()
            where t.version < excluded.version
            """;

    private static final String SELECT =
            """
            select occurred_at, traceparent, data from dispatch.task where tenant_id = ? and external_id = ?
            """;

    private static final String TRACEPARENT =
            "select traceparent from dispatch.task where tenant_id = ? and external_id = ?";

    private final JdbcTemplate jdbc;

    public JdbcTasks(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void upsert(List<Told> tasks) {
        jdbc.batchUpdate(
                UPSERT,
                tasks.stream()
                        .map(told -> new Object[] {
                            told.task().tenantId(),
                            told.task().externalId(),
                            told.task().version(),
                            told.task().articleDigest(),
                            told.envelope().id(),
                            told.envelope().time().atOffset(ZoneOffset.UTC),
                            told.envelope().traceparent(),
                            told.envelope().data()
                        })
                        .toList());
    }

    @Override
    public Optional<Known> find(TargetId id) {
        return jdbc
                .query(
                        SELECT,
                        (row, number) -> new Known(
                                EventJson.read(row.getString("data"), TaskState.class),
                                row.getObject("occurred_at", OffsetDateTime.class)
                                        .toInstant(),
                                row.getString("traceparent")),
                        id.tenantId(),
                        id.externalId())
                .stream()
                .findFirst();
    }

    @Override
    public @Nullable String traceparentOf(TargetId id) {
        List<@Nullable String> found =
                jdbc.query(TRACEPARENT, (row, number) -> row.getString(1), id.tenantId(), id.externalId());
        return found.isEmpty() ? null : found.get(0);
    }
}
