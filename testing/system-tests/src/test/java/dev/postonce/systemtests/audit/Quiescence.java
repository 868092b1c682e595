package dev.postonce.systemtests.audit;

import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.PostgresNode;
import java.time.Duration;

/** Waits, for a bounded time, until nothing is on its way any more. */
final class Quiescence {

    /** Everything that is still to come somewhere; what is parked for a person is not on its way. */
    private static final String ON_ITS_WAY =
            """
            select
              'targets ' || (select count(*) from ingest.target
                 where state in ('pending', 'waiting', 'running', 'in_doubt'))
              || ', attempts ' || (select count(*) from dispatch.attempt a join dispatch.target t
                   using (tenant_id, external_id, platform)
                 where a.settled_at is null and t.state <> 'awaiting_operator')
              || ', callbacks ' || (select count(*) from ingest.callback where state = 'pending')
              || ', tasks to index ' || (select count(*) from ingest.task t left join "index".entry e
                   on e.kind = 'task' and e.record_key = t.tenant_id || ':' || t.external_id
                 where e.version is distinct from t.version)
              || ', groups to index ' || (select count(*) from ingest.group_entry g left join "index".entry e
                   on e.kind = 'group'
                  and e.record_key = g.tenant_id || ':' || g.operation || '/' || g.normalized_group_id
                 where e.version is distinct from g.version
                   and not exists (select from relay.parked_event p
                     where p.record_key = g.tenant_id || ':' || g.operation || '/' || g.normalized_group_id))
              || ', states to project ' || (select count(*) from dispatch.target d join ingest.target t
                   using (tenant_id, external_id, platform)
                 where t.dispatch_version <> d.version)
            """;

    private static final String NOTHING =
            "targets 0, attempts 0, callbacks 0, tasks to index 0, groups to index 0, states to project 0";
    private static final Duration STEP = Duration.ofMillis(500);

    private Quiescence() {}

    /**
     * @return empty once nothing is on its way; else what still was when the time was over, or when it had stood still
     *     for as long as nothing that moves would
     */
    static String await(PostgresNode postgres, Duration within, Duration standstill) {
        long end = System.nanoTime() + within.toNanos();
        String before = "";
        long since = System.nanoTime();
        while (true) {
            String now = postgres.text(ON_ITS_WAY);
            if (now.equals(NOTHING)) {
                return "";
            }
            if (!now.equals(before)) {
                before = now;
                since = System.nanoTime();
            }
            if (System.nanoTime() - end >= 0 || System.nanoTime() - since > standstill.toNanos()) {
                return now;
            }
            Patience.until(STEP, () -> false);
        }
    }
}
