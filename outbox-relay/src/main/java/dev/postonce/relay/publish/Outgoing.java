package dev.postonce.relay.publish;

import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.relay.outbox.OutboxRow;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A row and the record that is made of it: the same bytes on every try. */
record Outgoing(OutboxRow row, ProducerRecord<byte[], byte[]> kafkaRecord) {

    static Outgoing of(OutboxRow row) {
        return new Outgoing(row, KafkaEventCodec.encode(row.topic(), row.toEnvelope()));
    }
}
