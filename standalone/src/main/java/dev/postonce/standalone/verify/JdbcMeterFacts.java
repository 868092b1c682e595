package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.CounterFact;
import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.GaugeFact;
import dev.postonce.invariants.facts.ResourceFact;
import dev.postonce.standalone.Part;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What the rows say of that which the processes count. The meters were read before: what a process has counted by then is
 * written down by now.
 */
final class JdbcMeterFacts {

    /** Of a gauge: its name, its tag, how many rows, and when one of them last changed. */
    private static final String GAUGES =
            """
            select 'postonce_dispatch_targets', 'state="' || state || '"', count(*),
                   (select max(updated_at) from dispatch.target)
            from dispatch.target group by state
            union all
            select 'postonce_dispatch_in_doubt', '', count(*) filter (where settled_at is null),
                   max(greatest(started_at, settled_at))
            from dispatch.attempt
            union all
            select 'postonce_dispatch_parked', '', count(*) filter (where settled_at is null),
                   max(greatest(parked_at, settled_at))
            from dispatch.parked_record
            """;

    private static final String CALLBACKS =
            """
            select 'postonce_callback_parked', '', count(*) filter (where state = 'parked'), max(settled_at)
            from ingest.callback
            """;

    private static final String CREATED =
            """
            select count(*), count(*) filter (where at between ? and ?)
            from ingest.audit
            where outcome = 'created' and status_code between 200 and 299
              and route in ('POST /v1/tasks', 'POST /v1/groups') and at >= ?
            """;

    private static final String ATTEMPTS =
            "select count(*) from dispatch.attempt where outcome = ? and outcome_at >= ?";

    /** Rows are numbered in their order, but for some that waited for each other. */
    private static final String CLOCK_WENT_BACK =
            """
            select exists (
              select from (
                select at, max(at) over (order by id rows between unbounded preceding and 1 preceding) as newest_before
                from ingest.audit
                where outcome = 'created' and status_code between 200 and 299) created
              where at < newest_before - interval '5 seconds')
            """;

    /** Whether a transaction is open that began to write before something that was committed long ago. */
    private static final String HELD =
            """
            select coalesce((
              select pg_snapshot_xmin(pg_current_snapshot()) <= xid
              from ingest.outbox_event where occurred_at < ? order by seq desc limit 1), false)
            """;

    /** What comes as a line or as a record has the audit rows of these routes too, and a meter of its own. */
    private static final List<String> ROUTES = List.of("POST /v1/tasks", "POST /v1/groups");

    private static final List<String> OUTCOMES =
            List.of("published", "taken_back", "refused", "not_sent", "rate_limited", "unknown", "update_unsupported");

    private static final Duration DISPATCH_SAMPLE = Duration.ofSeconds(4);
    private static final Duration CALLBACK_SAMPLE = Duration.ofSeconds(15);
    /** Between the clocks of a process and of the database. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);
    /** What a process counted before that may not be written down any more. */
    private static final Duration COUNTED_MAX = Duration.ofDays(7);

    private static final Duration HELD_MAX = Duration.ofSeconds(30);
    /** What a request could not say although it was written: its connection broke in between. */
    private static final long UNTOLD_ONE_IN = 10;

    private static final long UNTOLD_MORE = 5;

    private final Connection connection;
    private final Instant readAt;
    private final Duration grace;
    private final FactSink sink;
    private boolean timesTell = true;

    /** @param readAt before the meters were read */
    JdbcMeterFacts(Connection connection, Instant readAt, Duration grace, FactSink sink) {
        this.connection = connection;
        this.readAt = readAt;
        this.grace = grace;
        this.sink = sink;
    }

    void read(List<Meters> all, TopicTally topics) throws SQLException {
        // Where a clock was set, what was written since a process began cannot be told: then all of it is the bound.
        timesTell = !topics.clockWentBack() && !clockWentBack();
        long ingests = all.stream().filter(one -> one.part() == Part.INGEST).count();
        for (Meters meters : all) {
            boolean young = meters.startedAtMs() > readAt.minus(COUNTED_MAX).toEpochMilli()
                    && meters.startedAtMs() < readAt.plus(CLOCKS_APART).toEpochMilli();
            switch (meters.part()) {
                case INGEST -> {
                    gauges(CALLBACKS, meters, CALLBACK_SAMPLE);
                    if (young) {
                        created(meters, ingests == 1);
                    }
                }
                case DISPATCHER -> {
                    gauges(GAUGES, meters, DISPATCH_SAMPLE);
                    for (String outcome : young ? OUTCOMES : List.<String>of()) {
                        attempts(meters, outcome);
                    }
                }
                case RELAY -> {
                    for (String topic : young ? AggregateKinds.TOPICS : List.<String>of()) {
                        published(meters, topic, topics);
                    }
                }
                default -> {
                    // Its meters stand for nothing that a table holds.
                }
            }
        }
        held();
    }

    private boolean clockWentBack() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLOCK_WENT_BACK);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** From when on what is written down may be what this process counted. */
    private Instant since(Meters meters) {
        return timesTell ? Instant.ofEpochMilli(meters.startedAtMs()).minus(CLOCKS_APART) : Instant.EPOCH;
    }

    private void gauges(String sql, Meters meters, Duration sampledEvery) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String tag = rows.getString(2);
                Timestamp changed = rows.getTimestamp(4);
                sink.gauge(new GaugeFact(
                        meters.url(),
                        tag.isEmpty() ? rows.getString(1) : rows.getString(1) + "{" + tag + "}",
                        tag.isEmpty() ? meters.sum(rows.getString(1)) : meters.sum(rows.getString(1), tag),
                        rows.getLong(3),
                        Math.max(changed == null ? 0 : changed.getTime(), meters.startedAtMs())
                                + sampledEvery.toMillis()));
            }
        }
    }

    private static double answered(Meters meters, String outcome) {
        String tag = "outcome=\"" + outcome + "\"";
        double answered = meters.sum("postonce_intake_lines_total", tag);
        for (String route : ROUTES) {
            answered += meters.sum("postonce_intake_requests_seconds_count", "route=\"" + route + "\"", tag);
        }
        return answered;
    }

    private void created(Meters meters, boolean alone) throws SQLException {
        double told = answered(meters, "created");
        long failed = (long) answered(meters, "failed");
        Instant began = Instant.ofEpochMilli(meters.startedAtMs());
        try (PreparedStatement statement = connection.prepareStatement(CREATED)) {
            statement.setTimestamp(1, Timestamp.from(began.plus(CLOCKS_APART)));
            statement.setTimestamp(2, Timestamp.from(readAt.minus(grace).minus(CLOCKS_APART)));
            statement.setTimestamp(3, Timestamp.from(since(meters)));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long settled = row.getLong(2);
                long atLeast = settled - failed - settled / UNTOLD_ONE_IN - UNTOLD_MORE;
                sink.counter(new CounterFact(
                        meters.url(), "created", told, alone && timesTell ? Math.max(0, atLeast) : 0, row.getLong(1)));
            }
        }
    }

    private void attempts(Meters meters, String outcome) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ATTEMPTS)) {
            statement.setString(1, outcome);
            statement.setTimestamp(2, Timestamp.from(since(meters)));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                sink.counter(new CounterFact(
                        meters.url(),
                        "attempts " + outcome,
                        meters.sum("postonce_dispatch_attempts_total", "outcome=\"" + outcome + "\""),
                        0,
                        row.getLong(1)));
            }
        }
    }

    private void published(Meters meters, String topic, TopicTally topics) {
        sink.counter(new CounterFact(
                meters.url(),
                "published to " + topic,
                meters.sum("postonce_relay_published_total", "topic=\"" + topic + "\""),
                0,
                topics.since(topic, since(meters).toEpochMilli())));
    }

    private void held() throws SQLException {
        Duration heldMax = grace.compareTo(HELD_MAX) > 0 ? grace : HELD_MAX;
        try (PreparedStatement statement = connection.prepareStatement(HELD)) {
            statement.setTimestamp(1, Timestamp.from(readAt.minus(heldMax)));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                sink.resource(new ResourceFact(
                        "the database",
                        "transactions open since before what was committed " + heldMax.toSeconds() + " s ago",
                        row.getBoolean(1) ? 1 : 0,
                        0));
            }
        }
    }
}
