package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.DeliveryOutcome.Delivered;
import dev.postonce.ingest.callback.DeliveryOutcome.Gone;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The lanes of callbacks in the database. A lane is claimed by a lease, so no lock is held while a request is on its
 * way; times are the database's, so that instances need not agree on theirs.
 */
final class JdbcLanes {

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

    /** A callback that was superseded on its way stays so, unless it was delivered after all. */
    private static final String SETTLE =
            """
            update ingest.callback
            set state = case when state = 'pending' or :state = 'delivered' then :state else state end,
                due_at = case when cast(:delay as bigint) is null then due_at
                              else now() + cast(:delay as bigint) * interval '1 millisecond' end,
                last_outcome = :outcome, last_status_code = :status,
                settled_at = case when :state = 'pending' then settled_at else now() end
            where webhook_id = :id
            """;

    private static final String SUPERSEDE_OLDER =
            """
            update ingest.callback set state = 'superseded', settled_at = now()
            where tenant_id = :tenant and external_id = :external_id and platform = :platform
              and sequence < :sequence and state in ('pending', 'parked')
            """;

    private static final String DISABLE_ENDPOINT =
            """
            insert into ingest.callback_endpoint (tenant_id, url, disabled_at) values (:tenant, :url, now())
            on conflict do nothing
            """;

    /** Goes on with the lane if its next callback is due, else gives it back. */
    private static final String GO_ON =
            """
            with head as (
              select min(due_at) as due_at from (
                select due_at from ingest.callback
                where tenant_id = :tenant and external_id = :external_id and state = 'pending'
                order by sequence limit 1) first)
            update ingest.callback_lane l
            set due_at = head.due_at,
                leased_until = case when head.due_at <= now() and :may_go_on
                                    then now() + :lease * interval '1 millisecond' end
            from head
            where l.tenant_id = :tenant and l.external_id = :external_id
            returning l.leased_until is not null
            """;

    private static final String BACKLOG =
            """
            select (select count(*) from ingest.callback where state = 'parked') as parked,
                   coalesce((select extract(epoch from now() - min(due_at)) from ingest.callback_lane
                             where due_at <= now()), 0) as oldest_due_s
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final String owner;
    private final Duration lease;

    JdbcLanes(JdbcClient jdbc, TransactionTemplate transaction, String owner, Duration lease) {
        this.jdbc = jdbc;
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

    /** Empty when nothing of the lane is due, or the lane is another's by now. */
    Optional<DueCallback> begin(Lane lane) {
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

    /**
     * Writes what became of an attempt, and gives the lane back unless its next callback is due already.
     *
     * @param next the delay before the next attempt; null parks what was not delivered
     * @param mayGoOn false when the worker is to stop after this one
     */
    Step finish(Lane lane, DueCallback callback, DeliveryOutcome outcome, @Nullable Duration next, boolean mayGoOn) {
        return inLane(lane, mayGoOn, () -> {
            settle(callback, outcome, next);
            if (outcome instanceof Delivered) {
                jdbc.sql(SUPERSEDE_OLDER)
                        .param("tenant", lane.tenantId())
                        .param("external_id", lane.externalId())
                        .param("platform", callback.platform())
                        .param("sequence", callback.sequence())
                        .update();
            }
            if (outcome instanceof Gone && callback.url() != null) {
                jdbc.sql(DISABLE_ENDPOINT)
                        .param("tenant", lane.tenantId())
                        .param("url", callback.url())
                        .update();
            }
        });
    }

    /** Gives a lane back of which nothing was sent. */
    Step giveBack(Lane lane) {
        return inLane(lane, false, () -> {});
    }

    private Step inLane(Lane lane, boolean mayGoOn, Runnable work) {
        Step step = transaction.execute(status -> {
            boolean ours = jdbc.sql(LOCK_LANE)
                    .param("tenant", lane.tenantId())
                    .param("external_id", lane.externalId())
                    .param("token", lane.token())
                    .query(Integer.class)
                    .optional()
                    .isPresent();
            if (!ours) {
                return Step.FENCED;
            }
            work.run();
            // A new statement, after the lane's lock: it sees each callback that was appended before.
            boolean more = jdbc.sql(GO_ON)
                    .param("tenant", lane.tenantId())
                    .param("external_id", lane.externalId())
                    .param("may_go_on", mayGoOn)
                    .param("lease", lease.toMillis())
                    .query(Boolean.class)
                    .single();
            return more ? Step.GO_ON : Step.DONE;
        });
        return step == null ? Step.DONE : step;
    }

    private void settle(DueCallback callback, DeliveryOutcome outcome, @Nullable Duration next) {
        String state = outcome instanceof Delivered ? "delivered" : next == null ? "parked" : "pending";
        jdbc.sql(SETTLE)
                .param("id", callback.webhookId())
                .param("state", state)
                .param("delay", next == null ? null : next.toMillis())
                .param("outcome", outcome.code())
                .param("status", outcome.statusCode())
                .update();
    }

    Backlog backlog() {
        return jdbc.sql(BACKLOG)
                .query((row, number) -> new Backlog(row.getLong("parked"), row.getDouble("oldest_due_s")))
                .single();
    }

    /** What a worker does with its lane next. */
    enum Step {
        GO_ON,
        DONE,
        /** Another worker has claimed the lane meanwhile; nothing was written. */
        FENCED
    }

    /** What waits for delivery or for a person. */
    record Backlog(long parked, double oldestDueS) {}
}
