package dev.postonce.index.entry;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table {@code "index".start_position}: what was begun from the beginning, and why. */
public final class JdbcStartPositions {

    /** Why a partition is read from its beginning. All but the first are incidents. */
    enum Reason {
        FIRST_START("first_start"),
        OFFSET_MISSING("offset_missing"),
        OFFSET_OUT_OF_RANGE("offset_out_of_range"),
        TOPIC_RECREATED("topic_recreated");

        private final String word;

        Reason(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    private static final String SELECT =
            """
            select topic_id from "index".start_position
            where consumer = ? and topic = ? and partition_number = ?
            """;

    private static final String UPSERT =
            """
            insert into "index".start_position as s
              (consumer, topic, partition_number, topic_id, begun_offset, reason, incidents)
            values (:consumer, :topic, :partition, :topicId, :offset, :reason, :incident)
            on conflict (consumer, topic, partition_number) do update
            set topic_id = excluded.topic_id, begun_at = now(), begun_offset = excluded.begun_offset,
                reason = excluded.reason, incidents = s.incidents + excluded.incidents
            """;

    private static final String INCIDENTS =
            """
            select coalesce(sum(incidents), 0) from "index".start_position where consumer = ?
            """;

    private final JdbcClient jdbc;
    private final String consumer;

    public JdbcStartPositions(JdbcClient jdbc, String consumer) {
        this.jdbc = jdbc;
        this.consumer = consumer;
    }

    /** Empty if the partition was never begun. */
    public Optional<String> topicIdAtStart(TopicPartition partition) {
        return jdbc.sql(SELECT)
                .params(consumer, partition.topic(), partition.partition())
                .query(String.class)
                .optional();
    }

    void begun(TopicPartition partition, String topicId, long offset, Reason reason) {
        jdbc.sql(UPSERT)
                .param("consumer", consumer)
                .param("topic", partition.topic())
                .param("partition", partition.partition())
                .param("topicId", topicId)
                .param("offset", offset)
                .param("reason", reason.word())
                .param("incident", reason == Reason.FIRST_START ? 0 : 1)
                .update();
    }

    long incidents() {
        return jdbc.sql(INCIDENTS).params(consumer).query(Long.class).single();
    }
}
