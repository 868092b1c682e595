package dev.postonce.index.search;

import dev.postonce.index.replica.Replica;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /v1/search} answers.
 *
 * @param totalHits counted exactly up to a bound; see {@code totalHitsExact}
 */
public record SearchAnswer(
        boolean ok,
        String requestId,
        long totalHits,
        boolean totalHitsExact,
        List<Hit> hits,
        @Nullable String nextCursor,
        ReplicaInfo replica) {

    /**
     * @param externalId of a task
     * @param normalizedGroupId of a group
     * @param title of a task; a group has {@code name}
     * @param highlight by field, HTML-escaped but for the marks
     */
    public record Hit(
            String kind,
            @Nullable String externalId,
            @Nullable String normalizedGroupId,
            @Nullable String operation,
            @Nullable String title,
            @Nullable String name,
            @Nullable String language,
            long version,
            float score,
            Map<String, String> highlight) {}

    /** @param caughtUp whether all that the topics hold is in the answer, as far as this instance knows */
    public record ReplicaInfo(String instance, boolean caughtUp, long lagRecords, double lagSeconds) {
        static ReplicaInfo of(String instance, Replica.Status status, double lagSeconds) {
            return new ReplicaInfo(
                    instance, status.ready() && status.lagRecords() == 0, status.lagRecords(), lagSeconds);
        }
    }
}
