package dev.postonce.relay.publish;

import java.util.Optional;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;

/**
 * Splits what Kafka will never take from what it may take later. Whatever is not listed here is tried again.
 *
 * <p>An invalid record is not listed: ours have key and value, so what is left of that is a topic's rule about time,
 * which would refuse every row alike.
 */
final class FinalRefusals {

    private FinalRefusals() {}

    static Optional<String> codeOf(Throwable error) {
        if (error instanceof RecordTooLargeException || error instanceof RecordBatchTooLargeException) {
            return Optional.of("record_too_large");
        }
        if (error instanceof InvalidTopicException) {
            return Optional.of("invalid_topic");
        }
        return Optional.empty();
    }
}
