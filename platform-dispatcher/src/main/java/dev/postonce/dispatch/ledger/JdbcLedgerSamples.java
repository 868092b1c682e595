package dev.postonce.dispatch.ledger;

import dev.postonce.contract.TargetState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/** Counts what a person wants to see. */
final class JdbcLedgerSamples {

    private static final String STATES = "select state, count(*) as n from dispatch.target group by state";

    private static final String REST =
            """
            select (select count(*) from dispatch.attempt where settled_at is null) as in_doubt,
              (select coalesce(extract(epoch from clock_timestamp() - min(first_started_at)) * 1000, 0)::bigint
                 from dispatch.attempt where settled_at is null) as oldest_ms,
              (select count(*) from dispatch.parked_record where settled_at is null) as parked
            """;

    private static final String DUE_WHEN_CONFIGURED =
            "update dispatch.target set due_at = now() where state = 'not_configured' and open_attempt is null";

    private final JdbcTemplate jdbc;

    JdbcLedgerSamples(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    LedgerSample take() {
        Map<TargetState, Long> targets = new EnumMap<>(TargetState.class);
        jdbc.query(STATES, row -> {
            targets.put(TargetState.of(row.getString("state")).orElseThrow(), row.getLong("n"));
        });
        LedgerSample sample = jdbc.queryForObject(
                REST,
                (row, number) -> new LedgerSample(
                        targets,
                        row.getLong("in_doubt"),
                        Duration.ofMillis(row.getLong("oldest_ms")),
                        row.getLong("parked")));
        return sample == null ? LedgerSample.EMPTY : sample;
    }

    /** The accounts file was read again: what lacked an account is looked at once more. */
    void lookAgainAtNotConfigured() {
        jdbc.update(DUE_WHEN_CONFIGURED);
    }
}
