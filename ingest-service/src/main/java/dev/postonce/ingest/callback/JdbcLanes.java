package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.DeliveryOutcome.Gone;
import dev.postonce.ingest.callback.LaneRules.Finished;
import dev.postonce.ingest.callback.LaneRules.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The lanes of callbacks in the database. A lane is claimed by a lease, so no lock is held while a request is on its
 * way; times are the database's, so that instances need not agree on theirs.
 */
final class JdbcLanes implements Lanes {

    /** Of the lanes that are due, some of each tenant; a lane that another instance claims just now is passed by. */
    private static final String CLAIM =
            """
            with head as (
              select tenant_id, external_id, due_at from ingest.callback_lane
              where due_at <= now() and (leased_until is null or leased_until <= now())
                and not (tenant_id = any (:busy))
              order by due_at limit 500),
            candidate as (
              select tenant_id, external_id, row_number() over (partition by tenant_id order by due_at) as nth
              from head),
            picked as (
              select l.tenant_id, l.external_id from ingest.callback_lane l
              join candidate c on c.tenant_id = l.tenant_id and c.external_id = l.external_id and c.nth <= :per_tenant
              where l.due_at <= now() and (l.leased_until is null or l.leased_until <= now())
              order by l.due_at limit :lanes
              for update of l skip locked)
            update ingest.callback_lane l
            set lease_token = l.lease_token + 1, lease_owner = :owner,
                leased_until = now() + :lease * interval '1 millisecond'
            from picked p where p.tenant_id = l.tenant_id and p.external_id = l.external_id
            returning l.tenant_id, l.external_id, l.lease_token
            """;

    /** Counts the attempt before it is made, so that one that kills its process does not go on for ever. */
    private static final String BEGIN =
            """
            update ingest.callback c set attempts = c.attempts + 1, last_attempt_at = now()
            from ingest.callback_lane l
            join ingest.task t on t.tenant_id = l.tenant_id and t.external_id = l.external_id
            left join ingest.callback_endpoint e on e.tenant_id = t.tenant_id and e.url = t.callback_url
            where l.tenant_id = :tenant and l.external_id = :external_id and l.lease_token = :token
              and c.due_at <= now() and c.state = 'pending'
              and c.webhook_id = (
                select webhook_id from ingest.callback
                where tenant_id = :tenant and external_id = :external_id and state = 'pending'
                order by sequence limit 1)
            returning c.webhook_id, c.platform, c.sequence, c.body, t.callback_url, e.url is not null as gone, c.attempts
            """;

    private static final String LOCK_LANE =
            """
            select 1 from ingest.callback_lane
            where tenant_id = :tenant and external_id = :external_id and lease_token = :token for update
            """;

    private static final String SETTLE =
            """
            update ingest.callback
            set state = :state, due_at = :due, last_outcome = :outcome, last_status_code = :status,
                settled_at = case when :state = 'pending' then settled_at else now() end
            where webhook_id = :id
            """;

    private static final String DISABLE_ENDPOINT =
            """
            insert into ingest.callback_endpoint (tenant_id, url, disabled_at) values (:tenant, :url, now())
            on conflict do nothing
            """;

    /** Kept by the same worker, or given back. */
    private static final String GO_ON =
            """
            update ingest.callback_lane
            set due_at = :due,
                leased_until = case when :go_on then now() + :lease * interval '1 millisecond' end
            where tenant_id = :tenant and external_id = :external_id
            """;

    private static final String BACKLOG =
            """
            select (select count(*) from ingest.callback where state = 'parked') as parked,
                   coalesce((select extract(epoch from now() - min(due_at)) from ingest.callback_lane
                             where due_at <= now()), 0) as oldest_due_s
            """;

    private final JdbcClient jdbc;
    private final JdbcLaneRows laneRows;
    private final TransactionTemplate transaction;
    private final String owner;
    private final Duration lease;

    JdbcLanes(JdbcClient jdbc, TransactionTemplate transaction, String owner, Duration lease) {
        this.jdbc = jdbc;
        this.laneRows = new JdbcLaneRows(jdbc);
        this.transaction = transaction;
        this.owner = owner;
        this.lease = lease;
    }

    /**
     * @param perTenant lanes of one tenant at most
     * @param busyTenants whose lanes are left alone
     */
    List<Lane> claim(int lanes, int perTenant, Collection<String> busyTenants) {
        return jdbc.sql(CLAIM)
                .param("busy", busyTenants.toArray(String[]::new))
                .param("per_tenant", perTenant)
                .param("lanes", lanes)
                .param("owner", owner)
                .param("lease", lease.toMillis())
                .query((row, number) -> new Lane(row.getString(1), row.getString(2), row.getLong(3)))
                .list();
    }

    @Override
    public Optional<DueCallback> begin(Lane lane) {
        return jdbc.sql(BEGIN)
                .param("tenant", lane.tenantId())
                .param("external_id", lane.externalId())
                .param("token", lane.token())
                .query((row, number) -> new DueCallback(
                        row.getString("webhook_id"),
                        row.getString("platform"),
                        row.getLong("sequence"),
                        row.getString("body"),
                        row.getString("callback_url"),
                        row.getBoolean("gone"),
                        row.getInt("attempts")))
                .optional();
    }

    @Override
    public Step finish(
            Lane lane, DueCallback callback, DeliveryOutcome outcome, @Nullable Duration next, boolean mayGoOn) {
        return inLane(lane, () -> {
            List<Row> rows = laneRows.open(lane.tenantId(), lane.externalId(), callback.webhookId());
            Finished finished = LaneRules.finish(rows, callback.webhookId(), outcome, next, laneRows.now(), mayGoOn);
            Row attempted = finished.attempted();
            if (attempted != null) {
                settle(attempted, outcome);
            }
            laneRows.supersede(finished.superseded());
            if (outcome instanceof Gone && callback.url() != null) {
                jdbc.sql(DISABLE_ENDPOINT)
                        .param("tenant", lane.tenantId())
                        .param("url", callback.url())
                        .update();
            }
            return goOn(lane, finished.laneDueAt(), finished.goOn());
        });
    }

    @Override
    public Step giveBack(Lane lane) {
        return inLane(lane, () -> {
            Instant due = LaneRules.dueAt(laneRows.open(lane.tenantId(), lane.externalId(), ""));
            return goOn(lane, due, false);
        });
    }

    private Step inLane(Lane lane, Supplier<Step> work) {
        Step step = transaction.execute(status -> {
            boolean ours = jdbc.sql(LOCK_LANE)
                    .param("tenant", lane.tenantId())
                    .param("external_id", lane.externalId())
                    .param("token", lane.token())
                    .query(Integer.class)
                    .optional()
                    .isPresent();
            return ours ? work.get() : Step.FENCED;
        });
        return step == null ? Step.DONE : step;
    }

    private Step goOn(Lane lane, @Nullable Instant due, boolean goOn) {
        jdbc.sql(GO_ON)
                .param("due", JdbcLaneRows.timestamp(due))
                .param("go_on", goOn)
                .param("lease", lease.toMillis())
                .param("tenant", lane.tenantId())
                .param("external_id", lane.externalId())
                .update();
        return goOn ? Step.GO_ON : Step.DONE;
    }

    private void settle(Row attempted, DeliveryOutcome outcome) {
        jdbc.sql(SETTLE)
                .param("id", attempted.webhookId())
                .param("state", attempted.state().wireName())
                .param("due", JdbcLaneRows.timestamp(attempted.dueAt()))
                .param("outcome", outcome.code())
                .param("status", outcome.statusCode())
                .update();
    }

    Backlog backlog() {
        return jdbc.sql(BACKLOG)
                .query((row, number) -> new Backlog(row.getLong("parked"), row.getDouble("oldest_due_s")))
                .single();
    }

    /** What waits for delivery or for a person. */
    record Backlog(long parked, double oldestDueS) {}
}
