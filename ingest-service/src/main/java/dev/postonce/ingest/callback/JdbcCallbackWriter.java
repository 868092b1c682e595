package dev.postonce.ingest.callback;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Puts callbacks into their tasks' lanes, in the transaction that moves the targets. */
public final class JdbcCallbackWriter {

    private static final String TAKE_SEQUENCES =
            """
            insert into ingest.callback_lane as lane (tenant_id, external_id, last_sequence) values (?, ?, ?)
            on conflict (tenant_id, external_id) do update
            set last_sequence = lane.last_sequence + excluded.last_sequence
            returning last_sequence
            """;

    private static final String INSERT =
            """
            insert into ingest.callback
              (webhook_id, tenant_id, external_id, platform, sequence, dispatch_version, status, body, state, due_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, 'pending', now() + ? * interval '1 millisecond')
            on conflict do nothing
            """;

    private final JdbcTemplate jdbc;
    private final JdbcLaneRows laneRows;
    private final Duration firstDelay;

    public JdbcCallbackWriter(JdbcTemplate jdbc, Duration firstDelay) {
        this.jdbc = jdbc;
        this.laneRows = new JdbcLaneRows(JdbcClient.create(jdbc));
        this.firstDelay = firstDelay;
    }

    private record LaneKey(String tenantId, String externalId) implements Comparable<LaneKey> {
        @Override
        public int compareTo(LaneKey other) {
            int byTenant = tenantId.compareTo(other.tenantId);
            return byTenant == 0 ? externalId.compareTo(other.externalId) : byTenant;
        }
    }

    /**
     * Appends in the given order. The caller holds the locks of the tasks' rows, so the sequences rise in the order of
     * the commits.
     */
    public void append(List<NewCallback> callbacks) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("a callback outside of a transaction could tell of what never was");
        }
        SortedMap<LaneKey, List<NewCallback>> lanes = new TreeMap<>();
        for (NewCallback callback : callbacks) {
            lanes.computeIfAbsent(new LaneKey(callback.tenantId(), callback.externalId()), key -> new ArrayList<>())
                    .add(callback);
        }
        lanes.forEach(this::appendTo);
    }

    private void appendTo(LaneKey lane, List<NewCallback> callbacks) {
        Long last = jdbc.queryForObject(
                TAKE_SEQUENCES, Long.class, lane.tenantId, lane.externalId, (long) callbacks.size());
        if (last == null) {
            throw new IllegalStateException("the lane gave no sequence");
        }
        List<Object[]> rows = new ArrayList<>();
        Map<String, Long> newest = new HashMap<>();
        for (int i = 0; i < callbacks.size(); i++) {
            NewCallback callback = callbacks.get(i);
            long sequence = last - callbacks.size() + 1 + i;
            rows.add(new Object[] {
                callback.webhookId(),
                lane.tenantId,
                lane.externalId,
                callback.platform(),
                sequence,
                callback.dispatchVersion(),
                callback.status(),
                callback.body(sequence),
                firstDelay.toMillis()
            });
            newest.merge(callback.platform(), callback.dispatchVersion(), Math::max);
        }
        jdbc.batchUpdate(INSERT, rows);
        List<LaneRules.Row> open = new ArrayList<>(laneRows.open(lane.tenantId, lane.externalId, ""));
        List<LaneRules.Row> needless = LaneRules.supersededBy(newest, open);
        laneRows.supersede(needless.stream().map(LaneRules.Row::webhookId).toList());
        open.removeAll(needless);
        laneRows.setDue(lane.tenantId, lane.externalId, LaneRules.dueAt(open));
    }
}
