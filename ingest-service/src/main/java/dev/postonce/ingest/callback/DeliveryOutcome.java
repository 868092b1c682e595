package dev.postonce.ingest.callback;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one attempt. */
sealed interface DeliveryOutcome {

    /** For the row, the metric and people. */
    String code();

    @Nullable
    Integer statusCode();

    /** Answered 2xx: the receiver has it. */
    record Delivered(int status) implements DeliveryOutcome {
        @Override
        public String code() {
            return "delivered";
        }

        @Override
        public Integer statusCode() {
            return status;
        }
    }

    /**
     * Not known to be delivered; the schedule says when it is tried again. The receiver may have it all the same and
     * knows the repetition by its webhook-id.
     *
     * @param retryAfter what the receiver asked for
     */
    record Failed(String code, @Nullable Integer statusCode, @Nullable Duration retryAfter)
            implements DeliveryOutcome {}

    /** Answered 410: the endpoint wants no more of these. */
    record Gone() implements DeliveryOutcome {
        @Override
        public String code() {
            return "endpoint_gone";
        }

        @Override
        public Integer statusCode() {
            return 410;
        }
    }

    /** Trying again cannot help; a person must mend something first. */
    record Hopeless(String code) implements DeliveryOutcome {
        @Override
        public @Nullable Integer statusCode() {
            return null;
        }
    }
}
