package dev.postonce.messaging;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Records that a consumer cannot process, kept whole with the reason in the table {@code parked_record} of its
 * schema, until a person redrives or gives them up. Parking one that is parked already changes nothing.
 */
public final class ParkedRecords {

    private static final int REASON_CHARACTERS_MAX = 500;

    private final JdbcTemplate jdbc;
    private final String consumer;
    private final String insert;

    public ParkedRecords(JdbcTemplate jdbc, String schema, String consumer) {
        this.jdbc = jdbc;
        this.consumer = consumer;
        this.insert =
                """
                insert into %s.parked_record
                  (consumer, topic, partition_number, record_offset, record_key, event_id, headers, value,
                   reason_code, reason)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                on conflict (consumer, topic, partition_number, record_offset) do nothing
                """
                        .formatted(Identifiers.checked(schema));
    }

    /** @param reasonCode {@code undecodable}, {@code version_conflict}, {@code handler_failed} */
    public void park(ConsumerRecord<byte[], byte[]> kafkaRecord, String reasonCode, String reason) {
        Header id = kafkaRecord.headers().lastHeader("ce_id");
        jdbc.update(
                insert,
                consumer,
                kafkaRecord.topic(),
                kafkaRecord.partition(),
                kafkaRecord.offset(),
                text(kafkaRecord.key()),
                id == null ? null : text(id.value()),
                headerLines(kafkaRecord),
                kafkaRecord.value(),
                reasonCode,
                withoutNul(
                        reason.length() > REASON_CHARACTERS_MAX ? reason.substring(0, REASON_CHARACTERS_MAX) : reason));
    }

    private static String headerLines(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        StringBuilder lines = new StringBuilder();
        for (Header header : kafkaRecord.headers()) {
            lines.append(header.key()).append('=').append(text(header.value())).append('\n');
        }
        return withoutNul(lines.toString());
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : withoutNul(new String(bytes, StandardCharsets.UTF_8));
    }

    /** PostgreSQL's text takes no NUL; what cannot be parked would stop its partition. */
    private static String withoutNul(String text) {
        return text.replace("\u0000", "\\0");
    }
}
