package dev.postonce.relay.wal;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Debezium's change records, as rows. */
final class ChangeRecords {

    private ChangeRecords() {}

    /**
     * @return null for what is no inserted row of the outbox, such as a heartbeat
     */
    static @Nullable OutboxRow rowOf(OutboxSource source, SourceRecord change) {
        if (!(change.value() instanceof Struct value) || value.schema().field("op") == null) {
            return null;
        }
        if (!"c".equals(value.getString("op")) || !isOutbox(source, value.getStruct("source"))) {
            return null;
        }
        Struct after = value.getStruct("after");
        return new OutboxRow(
                after.getInt64("seq"),
                UUID.fromString(after.getString("event_id")),
                after.getString("topic"),
                after.getString("record_key"),
                after.getString("event_type"),
                after.getString("source"),
                after.getString("subject"),
                after.getInt64("aggregate_version"),
                OffsetDateTime.parse(after.getString("occurred_at")).toInstant(),
                after.getString("traceparent"),
                after.getString("data"));
    }

    private static boolean isOutbox(OutboxSource source, Struct origin) {
        return source.schema().equals(origin.getString("schema")) && "outbox_event".equals(origin.getString("table"));
    }
}
