package dev.postonce.relay.source;

import dev.postonce.relay.outbox.Lsn;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.RecordedSource.BaselineMark;
import dev.postonce.relay.source.RecordedSource.Identity;
import dev.postonce.relay.source.RecordedSource.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay's memory of its sources. Writes carry the claim's epoch: those of a deposed relay change nothing. */
public final class JdbcSources {

    private static final String FIND =
            """
            select state, epoch, system_identifier, timeline, publication_identity, kafka_cluster_id,
                   baseline_snapshot::text as baseline_snapshot, baseline_key, baseline_version, baseline_seq,
                   position_lsn::text as position_lsn, published_seq, rebaseline_request
            from relay.source where source = :source
            """;

    private static final String TOPICS = "select topic, topic_id from relay.topic where source = :source";

    private static final String BEGIN_BASELINE =
            """
            update relay.source
            set state = 'baseline', slot_name = :slot, slot_created_at = now(), consistent_lsn = :lsn::pg_lsn,
                position_lsn = :lsn::pg_lsn, position_detail = null, position_at = now(),
                system_identifier = :system, timeline = :timeline, publication_identity = :publication,
                kafka_cluster_id = :cluster, baseline_snapshot = :snapshot::pg_snapshot, baseline_key = null,
                baseline_version = null, baseline_seq = null, baseline_finished_at = null,
                rebaseline_request = coalesce(:request, rebaseline_request)
            where source = :source and epoch = :epoch
            """;

    private static final String FORGET_TOPICS = "delete from relay.topic where source = :source";

    private static final String RECORD_TOPIC =
            """
            insert into relay.topic (source, topic, topic_id) values (:source, :topic, :id)
            on conflict (source, topic) do nothing
            """;

    private static final String MARK_BASELINE =
            """
            update relay.source
            set baseline_key = :key, baseline_version = :version, baseline_seq = :seq,
                published_seq = greatest(published_seq, :published)
            where source = :source and epoch = :epoch and state = 'baseline'
            """;

    private static final String FINISH_BASELINE =
            """
            update relay.source set state = 'streaming', baseline_finished_at = now()
            where source = :source and epoch = :epoch and state = 'baseline'
            """;

    private static final String ADVANCE =
            """
            update relay.source
            set position_lsn = greatest(position_lsn, :lsn::pg_lsn), position_detail = :detail, position_at = now(),
                published_seq = greatest(published_seq, :published)
            where source = :source and epoch = :epoch and state = 'streaming'
            """;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    public JdbcSources(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    public Optional<RecordedSource> find(OutboxSource source) {
        Map<String, String> topicIds = new HashMap<>();
        jdbc.sql(TOPICS).param("source", source.name()).query(row -> {
            topicIds.put(row.getString("topic"), row.getString("topic_id"));
        });
        return jdbc.sql(FIND)
                .param("source", source.name())
                .query((row, number) -> recorded(row, topicIds))
                .optional();
    }

    /** From here on the slot is this source's; everything known of an older one is forgotten. */
    void beginBaseline(
            OutboxSource source, long epoch, SlotMaker.Made made, Identity identity, @Nullable String request) {
        transaction.executeWithoutResult(status -> {
            int changed = jdbc.sql(BEGIN_BASELINE)
                    .param("slot", source.slot())
                    .param("lsn", Lsn.format(made.consistentLsn()))
                    .param("system", identity.systemIdentifier())
                    .param("timeline", identity.timeline())
                    .param("publication", identity.publicationIdentity())
                    .param("cluster", identity.kafkaClusterId())
                    .param("snapshot", made.snapshot())
                    .param("request", request)
                    .param("source", source.name())
                    .param("epoch", epoch)
                    .update();
            requireClaim(source, epoch, changed);
            jdbc.sql(FORGET_TOPICS).param("source", source.name()).update();
            recordTopics(source, identity.topicIds());
        });
    }

    /** Keeps the ids of topics that it has not seen before; a known topic's id is never replaced. */
    void recordTopics(OutboxSource source, Map<String, String> topicIds) {
        topicIds.forEach((topic, id) -> jdbc.sql(RECORD_TOPIC)
                .param("source", source.name())
                .param("topic", topic)
                .param("id", id)
                .update());
    }

    void markBaseline(OutboxSource source, long epoch, BaselineMark mark, long publishedSeq) {
        int changed = jdbc.sql(MARK_BASELINE)
                .param("key", mark.recordKey())
                .param("version", mark.aggregateVersion())
                .param("seq", mark.seq())
                .param("published", publishedSeq)
                .param("source", source.name())
                .param("epoch", epoch)
                .update();
        requireClaim(source, epoch, changed);
    }

    void finishBaseline(OutboxSource source, long epoch) {
        requireClaim(
                source,
                epoch,
                jdbc.sql(FINISH_BASELINE)
                        .param("source", source.name())
                        .param("epoch", epoch)
                        .update());
    }

    void advance(OutboxSource source, long epoch, long lsn, String detail, long publishedSeq) {
        int changed = jdbc.sql(ADVANCE)
                .param("lsn", Lsn.format(lsn))
                .param("detail", detail)
                .param("published", publishedSeq)
                .param("source", source.name())
                .param("epoch", epoch)
                .update();
        requireClaim(source, epoch, changed);
    }

    private static void requireClaim(OutboxSource source, long epoch, int changed) {
        if (changed != 1) {
            throw new ClaimLostException("source " + source.name() + ": epoch " + epoch
                    + " is over, another relay has taken it; this one stands by");
        }
    }

    private static RecordedSource recorded(ResultSet row, Map<String, String> topicIds) throws SQLException {
        State state = State.valueOf(row.getString("state").toUpperCase(Locale.ROOT));
        String position = row.getString("position_lsn");
        String baselineKey = row.getString("baseline_key");
        return new RecordedSource(
                state,
                row.getLong("epoch"),
                state == State.NEW ? null : identity(row, topicIds),
                row.getString("baseline_snapshot"),
                baselineKey == null
                        ? null
                        : new BaselineMark(baselineKey, row.getLong("baseline_version"), row.getLong("baseline_seq")),
                position == null ? 0 : Lsn.parse(position),
                row.getLong("published_seq"),
                row.getString("rebaseline_request"));
    }

    private static Identity identity(ResultSet row, Map<String, String> topicIds) throws SQLException {
        return new Identity(
                row.getString("system_identifier"),
                row.getInt("timeline"),
                row.getString("publication_identity"),
                row.getString("kafka_cluster_id"),
                topicIds);
    }
}
