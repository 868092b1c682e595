package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.AnswerFact;
import dev.postonce.invariants.facts.AuditFact;
import dev.postonce.invariants.facts.CallbackFact;
import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.ParkedPlaceFact;
import dev.postonce.invariants.facts.TargetKey;
import dev.postonce.invariants.facts.TransitionFact;
import dev.postonce.invariants.facts.WantedTargetFact;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** What the services wrote down of what they did: audit, requests, callbacks, histories of targets, kept records. */
final class JdbcTrailFacts {

    static final String WANTED =
            """
            select tenant_id, external_id, unnest(target_platforms), callback_url is not null
            from ingest.task
            where starts_with(external_id, ?)
            """;

    /** What was accepted was answered; a row of something that came from inside has the status 0, and accepts nothing. */
    static final String AUDIT_OF_TASKS =
            """
            select tenant_id, external_id, count(*) filter (where outcome = 'created'),
                   count(distinct resource_version) filter (where outcome in ('created', 'updated', 'withdrawn')),
                   coalesce(max(resource_version) filter (where outcome in ('created', 'updated', 'withdrawn')), 0)
            from ingest.audit
            where outcome in ('created', 'updated', 'withdrawn') and status_code between 200 and 299
              and group_ref is null
              and starts_with(external_id, ?)
            group by tenant_id, external_id
            """;

    static final String AUDIT_OF_GROUPS =
            """
            select tenant_id, group_ref, count(*) filter (where outcome = 'created'),
                   count(distinct resource_version) filter (where outcome in ('created', 'updated', 'withdrawn')),
                   coalesce(max(resource_version) filter (where outcome in ('created', 'updated', 'withdrawn')), 0)
            from ingest.audit
            where outcome in ('created', 'updated', 'withdrawn') and status_code between 200 and 299
              and starts_with(group_ref, ?)
            group by tenant_id, group_ref
            """;

    static final String ANSWERS =
            """
            select distinct tenant_id, resource_kind, resource_ref, resource_id
            from ingest.idempotency_record
            where resource_kind in ('task', 'group') and resource_id is not null and starts_with(resource_ref, ?)
            """;

    static final String CALLBACKS =
            """
            select tenant_id, external_id, platform, sequence, dispatch_version, status,
                   coalesce((body::jsonb ->> 'task_version')::bigint, 0), state, last_outcome
            from ingest.callback
            where starts_with(external_id, ?)
            """;

    /** Each different change once, with one of the targets that made it; what lies before the archive is not known. */
    static final String TRANSITIONS =
            """
            select distinct on (before, state)
                   split_part(record_key, ':', 1), split_part(split_part(record_key, ':', 2), '/', 1),
                   split_part(record_key, '/', 2), aggregate_version, before, state
            from (
              select record_key, aggregate_version, state,
                     lag(state) over history as before, lag(aggregate_version) over history as version_before
              from (select record_key, aggregate_version, substring(data from '"state":"([a-z_]+)"') as state
                    from dispatch.outbox_event
                    where starts_with(substr(record_key, strpos(record_key, ':') + 1), ?)) told
              window history as (partition by record_key order by aggregate_version)) changes
            where version_before = aggregate_version - 1 and before is not null and state is not null
            """;

    static final String KEPT_BY_INDEX = kept("\"index\"");
    static final String KEPT_BY_DISPATCH = kept("dispatch");
    static final String KEPT_BY_INGEST = kept("ingest");

    private JdbcTrailFacts() {}

    /** Whatever its key is: it may be unreadable for that very reason. */
    private static String kept(String schema) {
        return "select topic, partition_number, record_offset, reason_code from " + schema
                + ".parked_record where cast(? as text) is not null";
    }

    static void wanted(ResultSet row, FactSink sink) throws SQLException {
        sink.wanted(new WantedTargetFact(target(row), row.getBoolean(4)));
    }

    static void audit(AggregateKey.Kind kind, ResultSet row, FactSink sink) throws SQLException {
        sink.audit(new AuditFact(
                new AggregateKey(kind, row.getString(1) + ":" + row.getString(2)),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5)));
    }

    static void answer(ResultSet row, FactSink sink) throws SQLException {
        AggregateKey.Kind kind = row.getString(2).equals("group") ? AggregateKey.Kind.GROUP : AggregateKey.Kind.TASK;
        sink.answer(new AnswerFact(
                new AggregateKey(kind, row.getString(1) + ":" + row.getString(3)), row.getObject(4, UUID.class)));
    }

    static void callback(ResultSet row, FactSink sink) throws SQLException {
        sink.callback(new CallbackFact(
                target(row),
                row.getLong(4),
                row.getLong(5),
                row.getString(6),
                row.getLong(7),
                row.getString(8),
                row.getString(9)));
    }

    static void transition(ResultSet row, FactSink sink) throws SQLException {
        sink.transition(new TransitionFact(target(row), row.getLong(4), row.getString(5), row.getString(6)));
    }

    static void kept(ParkedFact.By by, ResultSet row, FactSink sink) throws SQLException {
        sink.parkedPlace(new ParkedPlaceFact(by, row.getString(1), row.getInt(2), row.getLong(3), row.getString(4)));
    }

    private static TargetKey target(ResultSet row) throws SQLException {
        return new TargetKey(row.getString(1), row.getString(2), row.getString(3));
    }
}
