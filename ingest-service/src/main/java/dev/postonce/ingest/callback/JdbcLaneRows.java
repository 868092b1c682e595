package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.LaneRules.Row;
import dev.postonce.ingest.callback.LaneRules.State;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The callbacks of one lane, read and written under the lane's lock. */
final class JdbcLaneRows {

    private static final String SELECT =
            """
            select webhook_id, platform, sequence, dispatch_version, state, due_at from ingest.callback
            where tenant_id = :tenant and external_id = :external_id
              and (state in ('pending', 'parked') or webhook_id = :also)
            order by sequence
            """;

    private static final String SUPERSEDE =
            """
            update ingest.callback set state = 'superseded', settled_at = now() where webhook_id = any (:ids)
            """;

    private static final String SET_DUE =
            """
            update ingest.callback_lane set due_at = :due where tenant_id = :tenant and external_id = :external_id
            """;

    private static final String NOW = "select now()";

    private final JdbcClient jdbc;

    JdbcLaneRows(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What is pending or parked, by rising sequence. A new statement after the lane's lock, so that it sees each
     * callback that was appended before.
     *
     * @param also the id of one that is read in any state; empty for none
     */
    List<Row> open(String tenantId, String externalId, String also) {
        return jdbc.sql(SELECT)
                .param("tenant", tenantId)
                .param("external_id", externalId)
                .param("also", also)
                .query((row, number) -> new Row(
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getLong(4),
                        State.of(row.getString(5)),
                        row.getObject(6, OffsetDateTime.class).toInstant()))
                .list();
    }

    void supersede(Collection<String> webhookIds) {
        if (!webhookIds.isEmpty()) {
            jdbc.sql(SUPERSEDE).param("ids", webhookIds.toArray(String[]::new)).update();
        }
    }

    void setDue(String tenantId, String externalId, @Nullable Instant due) {
        jdbc.sql(SET_DUE)
                .param("due", timestamp(due))
                .param("tenant", tenantId)
                .param("external_id", externalId)
                .update();
    }

    /** The transaction's time. */
    Instant now() {
        return jdbc.sql(NOW).query(OffsetDateTime.class).single().toInstant();
    }

    static @Nullable Timestamp timestamp(@Nullable Instant at) {
        return at == null ? null : Timestamp.from(at);
    }
}
