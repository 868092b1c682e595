package dev.postonce.ingest.task;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored task without its content: what is compared, and what is answered.
 *
 * @param contentKnown whether exactly the submitted content was accepted for it before
 * @param url where its site shows it, else its canonical URL
 */
public record KnownTask(
        UUID taskId,
        String externalId,
        long version,
        String status,
        String groupCode,
        List<String> targetPlatforms,
        Shown shown,
        @Nullable String url,
        List<TargetView> targets,
        boolean contentKnown,
        Instant acceptedAt,
        Instant updatedAt) {

    /** The fields that a submission is compared with. */
    public record Shown(
            String title,
            String htmlDigest,
            @Nullable String coverUrl,
            @Nullable String summary,
            List<String> tags,
            @Nullable String category,
            @Nullable String canonicalUrl,
            @Nullable Instant publishAt,
            @Nullable String site,
            @Nullable String slug,
            @Nullable String language,
            @Nullable String translationKey,
            @Nullable String businessRefId,
            @Nullable String callbackUrl) {}

    /** One post, as it is told to the upstream. */
    public record TargetView(
            String platform,
            String state,
            long taskVersion,
            @Nullable Long shownTaskVersion,
            @Nullable String platformUrl,
            @Nullable Instant observedAt,
            @Nullable String errorCode) {

        static TargetView pending(String platform) {
            return new TargetView(platform, "pending", 1, null, null, null, null);
        }
    }

    boolean isWithdrawn() {
        return !status.equals("active");
    }
}
