package dev.postonce.ingest.intake;

import dev.postonce.contract.SubmitSignature;
import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.web.FieldError;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The headers and the value of a record, before anything of it is believed.
 *
 * @param id {@code ce_id}; empty where it is missing or unreadable, as all of these
 */
record SubmitRecord(
        String id, String type, String specVersion, String keyId, String signature, byte[] value, Place place) {

    private static final Pattern TRACEPARENT = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    /** Where it stands. */
    record Place(String topic, int partition, long offset, @Nullable String traceparent) {

        /** The same for each time that the record is read. */
        String requestId() {
            return topic + ":" + partition + ":" + offset;
        }
    }

    static SubmitRecord of(ConsumerRecord<byte[], byte[]> kafkaRecord) {
        String traceparent = header(kafkaRecord, "traceparent");
        return new SubmitRecord(
                header(kafkaRecord, "ce_id"),
                header(kafkaRecord, "ce_type"),
                header(kafkaRecord, "ce_specversion"),
                header(kafkaRecord, SubmitSignature.KEY_ID_HEADER),
                header(kafkaRecord, SubmitSignature.HEADER),
                kafkaRecord.value() == null ? new byte[0] : kafkaRecord.value(),
                new Place(
                        kafkaRecord.topic(),
                        kafkaRecord.partition(),
                        kafkaRecord.offset(),
                        TRACEPARENT.matcher(traceparent).matches() ? traceparent : null));
    }

    boolean isSignedWith(String secret) {
        return SubmitSignature.matches(signature, secret, id, type, value);
    }

    /** @throws Refusal for a type that is none of ours */
    SubmitType knownType() {
        if (!specVersion.equals("1.0")) {
            throw wrong("ce_specversion", "must be 1.0");
        }
        return SubmitType.of(type).orElseThrow(() -> wrong("ce_type", "is not a type of submission"));
    }

    /** The record's id is its Idempotency-Key. */
    IdempotencyKey key() {
        return IdempotencyKey.ofField("header:ce_id", id);
    }

    private static Refusal wrong(String header, String detail) {
        return Refusal.badPayload(List.of(new FieldError("header:" + header, detail)));
    }

    private static String header(ConsumerRecord<byte[], byte[]> kafkaRecord, String name) {
        @Nullable Header header = kafkaRecord.headers().lastHeader(name);
        if (header == null || header.value() == null) {
            return "";
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(header.value()))
                    .toString();
        } catch (CharacterCodingException e) {
            return "";
        }
    }
}
