package dev.postonce.dispatch.connector;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of one attempt, as far as the platform or the network says. */
public sealed interface Outcome {

    /** Its existence was confirmed, in the given task version. */
    record Published(String postId, @Nullable String url, long taskVersion) implements Outcome {}

    /**
     * The post is there and shows nothing to readers.
     *
     * @param status {@code draft} or {@code archived}
     */
    record TakenBack(String postId, String status) implements Outcome {}

    /**
     * The platform will not have it: final for this content.
     *
     * @param postId of a post that is there all the same, such as one held for review; null if none
     */
    record Refused(String code, @Nullable String detail, @Nullable String postId) implements Outcome {}

    /** Certainly without effect, and a later try may succeed: nothing left, or it was turned away at the door. */
    record NotSent(String code, @Nullable String detail) implements Outcome {}

    /** Turned away for now. */
    record RateLimited(Duration retryAfter) implements Outcome {}

    /** Nobody here knows what it did. */
    record Unknown(String code, @Nullable String detail) implements Outcome {}

    /** The post stays as it is; the platform has no such edit. */
    record UpdateUnsupported(String code) implements Outcome {}

    /** The word for the ledger and the metrics. */
    default String word() {
        if (this instanceof Published) {
            return "published";
        } else if (this instanceof TakenBack) {
            return "taken_back";
        } else if (this instanceof Refused) {
            return "refused";
        } else if (this instanceof NotSent) {
            return "not_sent";
        } else if (this instanceof RateLimited) {
            return "rate_limited";
        } else if (this instanceof UpdateUnsupported) {
            return "update_unsupported";
        }
        return "unknown";
    }
}
