package dev.postonce.relay.source;

import dev.postonce.relay.outbox.Lsn;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.ObservedSource.Publication;
import dev.postonce.relay.source.ObservedSource.Slot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks at PostgreSQL's catalogs: is it the primary, is the publication whole, where does the slot stand. */
public final class JdbcObservations {

    private static final String IN_RECOVERY = "select pg_is_in_recovery()";

    private static final String DATABASE =
            """
            select (select system_identifier::text from pg_control_system()) as system_identifier,
                   ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer as timeline,
                   c.oid is not null and has_table_privilege(c.oid, 'select') as table_exists,
                   p.oid is not null as publication_exists,
                   concat_ws('/', p.oid || ':' || p.xmin::text, r.oid || ':' || r.xmin::text, c.oid) as identity,
                   case when not p.pubinsert then 'it does not publish inserts'
                        when t.tablename is null then 'it does not hold ' || :schema || '.outbox_event'
                        when t.rowfilter is not null then 'it filters rows'
                        when c.relkind = 'p' and not p.pubviaroot then 'it lacks publish_via_partition_root'
                        when not t.attnames @> array['seq', 'event_id', 'topic', 'record_key', 'event_type', 'source',
                             'subject', 'aggregate_version', 'occurred_at', 'traceparent', 'data']::name[]
                          then 'it leaves columns out'
                   end as problem
            from (select 1) as one
            left join pg_namespace n on n.nspname = :schema
            left join pg_class c on c.relnamespace = n.oid and c.relname = 'outbox_event'
            left join pg_publication p on p.pubname = :publication
            left join pg_publication_rel r on r.prpubid = p.oid and r.prrelid = c.oid
            left join pg_publication_tables t
              on t.pubname = p.pubname and t.schemaname = n.nspname and t.tablename = c.relname
            """;

    private static final String SLOT =
            """
            select coalesce(plugin = 'pgoutput' and database = current_database(), false) as ours, active,
                   coalesce(wal_status, 'reserved') as wal_status,
                   coalesce(confirmed_flush_lsn, '0/0')::text as confirmed_lsn,
                   coalesce(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), confirmed_flush_lsn), 0)::bigint as lag_bytes,
                   coalesce(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), restart_lsn), 0)::bigint as retained_bytes
            from pg_replication_slots where slot_name = :slot
            """;

    private static final String UNPUBLISHED_AGE_S =
            """
            select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
            from (select occurred_at from %s where seq > :seq order by seq limit 1000) as unpublished
            """;

    private static final String END_READER =
            "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = :slot and active";

    private final JdbcClient jdbc;
    private final KafkaObservations kafka;

    /** The port to Kafka's side of it. */
    public interface KafkaObservations {
        /**
         * @throws KafkaSilentException when Kafka does not answer
         */
        ObservedSource.Kafka observe(OutboxSource source) throws InterruptedException;
    }

    /** Kafka cannot be asked now; nothing can be decided without it. */
    public static final class KafkaSilentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public KafkaSilentException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    public JdbcObservations(JdbcClient jdbc, KafkaObservations kafka) {
        this.jdbc = jdbc;
        this.kafka = kafka;
    }

    ObservedSource observe(OutboxSource source) throws InterruptedException {
        ObservedSource.Kafka observedKafka = kafka.observe(source);
        if (jdbc.sql(IN_RECOVERY).query(Boolean.class).single()) {
            return new ObservedSource(true, "", 0, false, null, null, observedKafka);
        }
        Slot slot = slot(source).orElse(null);
        return jdbc.sql(DATABASE)
                .param("schema", source.schema())
                .param("publication", source.publication())
                .query((row, number) -> new ObservedSource(
                        false,
                        row.getString("system_identifier"),
                        row.getInt("timeline"),
                        row.getBoolean("table_exists"),
                        publication(row),
                        slot,
                        observedKafka))
                .single();
    }

    Optional<Slot> slot(OutboxSource source) {
        return jdbc.sql(SLOT)
                .param("slot", source.slot())
                .query((row, number) -> new Slot(
                        row.getBoolean("ours"),
                        row.getBoolean("active"),
                        row.getString("wal_status"),
                        Lsn.parse(row.getString("confirmed_lsn")),
                        row.getLong("lag_bytes"),
                        row.getLong("retained_bytes")))
                .optional();
    }

    /** Age of the oldest row above the highest published one: what waits while nothing is read. */
    Duration unpublishedAge(OutboxSource source, long publishedSeq) {
        double seconds = jdbc.sql(UNPUBLISHED_AGE_S.formatted(source.table()))
                .param("seq", publishedSeq)
                .query(Double.class)
                .single();
        return Duration.ofMillis(Math.max(0, Math.round(seconds * 1000)));
    }

    /** Ends a reader that was left behind by a relay which no longer holds the claim. */
    void endReader(OutboxSource source) {
        jdbc.sql(END_READER).param("slot", source.slot()).query(Boolean.class).list();
    }

    private static @Nullable Publication publication(ResultSet row) throws SQLException {
        return row.getBoolean("publication_exists")
                ? new Publication(row.getString("identity"), row.getString("problem"))
                : null;
    }
}
