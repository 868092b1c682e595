package dev.postonce.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Every topic of Postonce, and how the admin step creates it. Partition counts are fixed at creation. */
public final class Topics {

    public static final String TASK = "postonce.task.v1";
    public static final String GROUP = "postonce.group.v1";
    public static final String DISPATCH = "postonce.dispatch.v1";

    /** API keys as digests, so that a service that answers upstreams need not ask ingest-service on each request. */
    public static final String KEY = "postonce.key.v1";

    /** What upstreams may write to instead of calling over HTTP; see {@link SubmitType}. */
    public static final String SUBMIT = "postonce.submit.v1";

    /** What was refused for good of {@link #SUBMIT}, each with its problem document. */
    public static final String SUBMIT_REJECTED = "postonce.submit.rejected.v1";

    /**
     * No record of {@link #SUBMIT} is older: it is deleted after its retention, by whole segments of a day. An
     * Idempotency-Key must be kept longer, or reading the topic again could do something twice.
     */
    public static final Duration SUBMIT_AGE_MAX = Duration.ofDays(6);

    /** Largest encoded record value that a producer may send, in bytes; below {@link #MESSAGE_BYTES_MAX}. */
    public static final int EVENT_BYTES_MAX = 1_500_000;

    /** The topics' {@code max.message.bytes}, and the relay's {@code max.request.size}. */
    public static final int MESSAGE_BYTES_MAX = 2_097_152;

    private static final int PARTITIONS = 6;
    private static final long HISTORY_MS = 7L * 24 * 3600 * 1000;

    /** State topics keep the last state of each key for ever, and recent history for at least seven days. */
    private static final Map<String, String> COMPACTED = Map.of(
            "cleanup.policy", "compact",
            "min.compaction.lag.ms", Long.toString(HISTORY_MS),
            "max.message.bytes", Integer.toString(MESSAGE_BYTES_MAX));

    private static final Map<String, String> DEAD_LETTERS = Map.of(
            "cleanup.policy", "delete",
            "retention.ms", Long.toString(35L * 24 * 3600 * 1000),
            "max.message.bytes", Integer.toString(MESSAGE_BYTES_MAX));

    private static final Map<String, String> SUBMISSIONS = Map.of(
            "cleanup.policy", "delete",
            "retention.ms", Long.toString(SUBMIT_AGE_MAX.minusDays(1).toMillis()),
            "segment.ms", Long.toString(Duration.ofHours(23).toMillis()),
            "max.message.bytes", Integer.toString(MESSAGE_BYTES_MAX));

    private Topics() {}

    public record Spec(String name, int partitions, Map<String, String> settings) {}

    public static String deadLettersOf(String topic) {
        return topic + ".dlt";
    }

    public static List<Spec> all() {
        return List.of(
                new Spec(TASK, PARTITIONS, COMPACTED),
                new Spec(GROUP, PARTITIONS, COMPACTED),
                new Spec(DISPATCH, PARTITIONS, COMPACTED),
                new Spec(KEY, 1, COMPACTED),
                new Spec(SUBMIT, PARTITIONS, SUBMISSIONS),
                new Spec(SUBMIT_REJECTED, PARTITIONS, DEAD_LETTERS),
                new Spec(deadLettersOf(TASK), PARTITIONS, DEAD_LETTERS),
                new Spec(deadLettersOf(GROUP), PARTITIONS, DEAD_LETTERS),
                new Spec(deadLettersOf(DISPATCH), PARTITIONS, DEAD_LETTERS),
                new Spec(deadLettersOf(KEY), 1, DEAD_LETTERS));
    }
}
