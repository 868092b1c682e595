package dev.postonce.dispatch.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.OutboxAppender;
import dev.postonce.runtime.FailPoint;
import dev.postonce.runtime.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The targets' rows, and the events of their changes, written together. */
public final class JdbcTargets implements Targets {

    private static final String SOURCE = "/postonce/dispatch";

    private static final String COLUMNS =
            """
            t.tenant_id, t.external_id, t.platform, t.account, t.version, t.state, t.desired_task_version,
            t.desired_digest, t.desired_status, t.publish_at, t.shown_task_version, t.shown_key, t.platform_post_id,
            t.platform_url, t.observed_at, t.error_code, t.error_detail, t.refused_key, t.open_attempt, t.tries,
            t.not_before, t.due_at
            """;

    private static final String SELECT_OF_TASKS = "select " + COLUMNS
            + """
            from dispatch.target t
            join unnest(?::text[], ?::text[]) as k (tenant_id, external_id)
              on t.tenant_id = k.tenant_id and t.external_id = k.external_id
            order by t.tenant_id, t.external_id, t.platform
            for update of t
            """;

    private static final String SELECT_LEASED = "select t.group_code, " + COLUMNS
            + """
            , clock_timestamp() as db_now from dispatch.target t
            where t.tenant_id = ? and t.external_id = ? and t.platform = ? and t.lease_token = ?
            for update of t
            """;

    private static final String INSERT =
            """
            insert into dispatch.target
              (account, lane, version, state, desired_task_version, desired_digest, desired_status, publish_at,
               shown_task_version, shown_key, platform_post_id, platform_url, observed_at, error_code, error_detail,
               refused_key, open_attempt, tries, not_before, due_at, content_digest, group_code, marker,
               tenant_id, external_id, platform)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    /** A lease that is given back loses its token too, so that nothing can be recorded under it any more. */
    private static final String UPDATE =
            """
            update dispatch.target set
              account = ?, lane = ?, version = ?, state = ?, desired_task_version = ?, desired_digest = ?,
              desired_status = ?, publish_at = ?, shown_task_version = ?, shown_key = ?, platform_post_id = ?,
              platform_url = ?, observed_at = ?, error_code = ?, error_detail = ?, refused_key = ?, open_attempt = ?,
              tries = ?, not_before = ?, due_at = ?, content_digest = coalesce(?, content_digest),
              group_code = coalesce(?, group_code),
              lease_owner = case when ? then null else lease_owner end,
              lease_token = case when ? then null else lease_token end,
              lease_until = case when ? then null else lease_until end,
              updated_at = now()
            where tenant_id = ? and external_id = ? and platform = ?
            """;

    private final JdbcTemplate jdbc;
    private final OutboxAppender outbox;
    private final Ids ids;

    public JdbcTargets(JdbcTemplate jdbc, OutboxAppender outbox, Ids ids) {
        this.jdbc = jdbc;
        this.outbox = outbox;
        this.ids = ids;
    }

    @Override
    public Instant databaseNow() {
        return instant(jdbc.queryForObject("select clock_timestamp()", OffsetDateTime.class));
    }

    @Override
    public List<Target> lockOfTasks(Collection<TaskKey> tasks) {
        return jdbc.query(
                SELECT_OF_TASKS,
                (row, number) -> map(row),
                tasks.stream().map(TaskKey::tenantId).toArray(String[]::new),
                tasks.stream().map(TaskKey::externalId).toArray(String[]::new));
    }

    @Override
    public Optional<Leased> lockLeased(TargetId id, long token) {
        return jdbc
                .query(
                        SELECT_LEASED,
                        (row, number) -> new Leased(
                                map(row),
                                row.getString("group_code"),
                                instant(row.getObject("db_now", OffsetDateTime.class))),
                        id.tenantId(),
                        id.externalId(),
                        id.platform().wireName(),
                        token)
                .stream()
                .findFirst();
    }

    @Override
    public void insert(List<Save> saves) {
        jdbc.batchUpdate(
                INSERT, saves.stream().map(JdbcTargets::insertArguments).toList());
        appendEvents(saves);
    }

    @Override
    public void update(List<Save> saves) {
        jdbc.batchUpdate(
                UPDATE, saves.stream().map(JdbcTargets::updateArguments).toList());
        FailPoint.hit("dispatch.after-result-before-callback-row");
        appendEvents(saves);
    }

    private void appendEvents(List<Save> saves) {
        List<EventEnvelope> events = new ArrayList<>();
        for (Save save : saves) {
            for (DispatchState state : save.change().events()) {
                events.add(envelope(save.change().target().id(), state, save.traceparent()));
            }
        }
        if (!events.isEmpty()) {
            outbox.append(Topics.DISPATCH, events);
        }
    }

    private EventEnvelope envelope(TargetId id, DispatchState state, @Nullable String traceparent) {
        return new EventEnvelope(
                ids.next(),
                EventType.DISPATCH_STATE.ceType(),
                SOURCE,
                id.subject(),
                state.changedAt(),
                id.recordKey(),
                state.version(),
                traceparent,
                EventJson.write(state));
    }

    private static Object[] insertArguments(Save save) {
        TargetId id = save.change().target().id();
        List<@Nullable Object> arguments = columns(save);
        arguments.add(save.groupCode());
        arguments.add(id.marker());
        addKey(arguments, id);
        return arguments.toArray();
    }

    private static Object[] updateArguments(Save save) {
        List<@Nullable Object> arguments = columns(save);
        arguments.add(save.groupCode());
        arguments.add(save.releaseLease());
        arguments.add(save.releaseLease());
        arguments.add(save.releaseLease());
        addKey(arguments, save.change().target().id());
        return arguments.toArray();
    }

    private static void addKey(List<@Nullable Object> arguments, TargetId id) {
        arguments.add(id.tenantId());
        arguments.add(id.externalId());
        arguments.add(id.platform().wireName());
    }

    private static List<@Nullable Object> columns(Save save) {
        Target target = save.change().target();
        List<DispatchState> events = save.change().events();
        List<@Nullable Object> all = new ArrayList<>();
        all.add(target.account());
        all.add(target.account() == null ? null : lane(target.id(), target.account()));
        all.add(target.version());
        all.add(target.state().wireName());
        all.add(target.desired().taskVersion());
        all.add(target.desired().articleDigest());
        all.add(target.desired().status());
        all.add(time(target.desired().publishAt()));
        all.add(target.showing().taskVersion());
        all.add(target.showing().key());
        all.add(target.showing().postId());
        all.add(target.showing().url());
        all.add(time(target.showing().observedAt()));
        all.add(target.plan().errorCode());
        all.add(target.plan().errorDetail());
        all.add(target.plan().refusedKey());
        all.add(target.plan().openAttempt());
        all.add(target.plan().tries());
        all.add(time(target.plan().notBefore()));
        all.add(time(target.plan().dueAt()));
        all.add(events.isEmpty() ? null : events.get(events.size() - 1).contentDigest());
        return all;
    }

    /** What the limit of parallel sends counts. */
    public static String lane(TargetId id, String account) {
        return id.tenantId() + "/" + id.platform().wireName() + "/" + account;
    }

    private static Target map(ResultSet row) throws SQLException {
        TargetId id = new TargetId(
                row.getString("tenant_id"),
                row.getString("external_id"),
                Platform.of(row.getString("platform")).orElseThrow());
        return new Target(
                id,
                row.getString("account"),
                row.getLong("version"),
                TargetState.of(row.getString("state")).orElseThrow(),
                new Desired(
                        row.getLong("desired_task_version"),
                        row.getString("desired_digest"),
                        row.getString("desired_status"),
                        instantOrNull(row, "publish_at")),
                new Showing(
                        row.getObject("shown_task_version", Long.class),
                        row.getString("shown_key"),
                        row.getString("platform_post_id"),
                        row.getString("platform_url"),
                        instantOrNull(row, "observed_at")),
                new Plan(
                        instantOrNull(row, "due_at"),
                        instantOrNull(row, "not_before"),
                        row.getInt("tries"),
                        row.getObject("open_attempt", UUID.class),
                        row.getString("refused_key"),
                        row.getString("error_code"),
                        row.getString("error_detail")));
    }

    static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    private static Instant instant(@Nullable OffsetDateTime value) {
        if (value == null) {
            throw new IllegalStateException("the database told no time");
        }
        return value.toInstant();
    }
}
