package dev.postonce.ingest.feed;

import org.apache.kafka.common.TopicPartition;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Remembers which partitions a consumer has begun to read. */
public final class JdbcConsumerStarts {

    private static final String EXISTS =
            """
            select exists (select from ingest.consumer_start
                           where consumer = :consumer and topic = :topic and partition_number = :partition)
            """;

    private static final String RECORD =
            """
            insert into ingest.consumer_start (consumer, topic, partition_number)
            values (:consumer, :topic, :partition) on conflict do nothing
            """;

    private static final String RECORD_INCIDENT =
            """
            update ingest.consumer_start
            set incidents = incidents + 1, last_incident_at = now(), last_incident = :what
            where consumer = :consumer and topic = :topic and partition_number = :partition
            """;

    private final JdbcClient jdbc;
    private final String consumer;

    public JdbcConsumerStarts(JdbcClient jdbc, String consumer) {
        this.jdbc = jdbc;
        this.consumer = consumer;
    }

    boolean hasStarted(TopicPartition partition) {
        return with(EXISTS, partition).query(Boolean.class).single();
    }

    void record(TopicPartition partition) {
        with(RECORD, partition).update();
    }

    void recordIncident(TopicPartition partition, String what) {
        with(RECORD_INCIDENT, partition).param("what", what).update();
    }

    private JdbcClient.StatementSpec with(String sql, TopicPartition partition) {
        return jdbc.sql(sql)
                .param("consumer", consumer)
                .param("topic", partition.topic())
                .param("partition", partition.partition());
    }
}
