package dev.postonce.ingest.task;

import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of docs/architecture.md: what is answered to a submission whose name is taken. Rows are asked in their
 * order; the first that fits wins.
 */
final class SubmissionRules {

    private SubmissionRules() {}

    /**
     * What one statement saw.
     *
     * @param keyRecord of the request's Idempotency-Key; null without one
     * @param tasks those of the same external id, of the same slug, and of the key
     */
    record Known(@Nullable KeyRecord keyRecord, List<KnownTask> tasks) {

        boolean hasExpiredKey(Instant now) {
            return keyRecord != null && keyRecord.isExpired(now);
        }

        Optional<KnownTask> byExternalId(String externalId) {
            return tasks.stream()
                    .filter(task -> task.externalId().equals(externalId))
                    .findFirst();
        }

        Optional<KnownTask> otherWithSlug(TaskSubmission submission) {
            return tasks.stream()
                    .filter(task -> submission.slug() != null
                            && submission.slug().equals(task.shown().slug())
                            && Objects.equals(submission.site(), task.shown().site())
                            && !task.externalId().equals(submission.externalId()))
                    .findFirst();
        }
    }

    /** @param policy what the tenant chose where there is a choice */
    static Verdict judge(
            TaskSubmission submission,
            Article article,
            Known known,
            @Nullable String payloadDigest,
            Instant now,
            TenantPolicy policy) {
        @Nullable KeyRecord key = known.keyRecord();
        if (key != null && !key.isExpired(now)) {
            if (!key.payloadDigest().equals(payloadDigest)) {
                return new Verdict.Refused(keyReused(key));
            }
            Optional<KnownTask> bound = known.byExternalId(key.resourceRef());
            if (bound.isPresent()) {
                return replay("header", submission, article, bound.get());
            }
        }
        Optional<KnownTask> other = known.otherWithSlug(submission);
        if (other.isPresent()) {
            return ofSlug(submission, article, other.get());
        }
        return known.byExternalId(submission.externalId())
                .map(task -> ofExternalId(submission, article, task, policy))
                .orElseGet(Verdict.Unknown::new);
    }

    private static Verdict ofSlug(TaskSubmission submission, Article article, KnownTask other) {
        List<String> differs = Differences.ofArticle(submission, article, other.shown());
        if (differs.isEmpty() || other.contentKnown()) {
            return replay("slug", submission, article, other);
        }
        return new Verdict.Refused(slugConflict(other, differs));
    }

    static Refusal slugConflict(KnownTask other, List<String> differs) {
        return Refusal.of(
                        ErrorCode.SLUG_CONFLICT,
                        "the slug is that of task " + other.externalId() + ", which differs in "
                                + String.join(", ", differs))
                .with("conflicts_with", other.externalId())
                .with("differs", differs)
                .with("links", Map.of("existing", TaskView.self(other)));
    }

    static Refusal groupConflict(KnownTask task) {
        return Refusal.of(
                        ErrorCode.GROUP_CONFLICT, "task " + task.externalId() + " was accepted with another group_code")
                .with("group_code", task.groupCode())
                .with("links", Map.of("existing", TaskView.self(task)));
    }

    static Refusal keyReused(KeyRecord key) {
        return Refusal.of(
                ErrorCode.IDEMPOTENCY_KEY_REUSED,
                "this Idempotency-Key stands for another request, until " + key.expiresAt());
    }

    private static Verdict ofExternalId(
            TaskSubmission submission, Article article, KnownTask task, TenantPolicy policy) {
        if (!task.groupCode().equals(submission.groupCode())) {
            return new Verdict.Refused(groupConflict(task));
        }
        List<String> added = notIn(submission.targetPlatforms(), task);
        if (task.isWithdrawn()) {
            return replay("natural", submission, article, task);
        }
        List<String> differs = contentDiffers(submission, article, task);
        if (!differs.isEmpty() && policy.refusesOtherContent()) {
            return new Verdict.Refused(contentConflict(task, differs));
        }
        if (added.isEmpty() || !differs.isEmpty()) {
            return replay("natural", submission, article, task);
        }
        return new Verdict.Extends(task, added, Differences.ofHandling(submission, task.shown()));
    }

    private static Refusal contentConflict(KnownTask task, List<String> differs) {
        return Refusal.of(
                        ErrorCode.CONTENT_CONFLICT,
                        "task " + task.externalId() + " was accepted with other content; it differs in "
                                + String.join(", ", differs))
                .with("content_differs", differs)
                .with("links", Map.of("existing", TaskView.self(task), "update", TaskView.self(task)));
    }

    private static Verdict replay(String kind, TaskSubmission submission, Article article, KnownTask task) {
        List<String> differs = new ArrayList<>(contentDiffers(submission, article, task));
        if (task.externalId().equals(submission.externalId())) {
            differs.addAll(Differences.ofHandling(submission, task.shown()));
        }
        return new Verdict.Replayed(task, kind, List.copyOf(differs), notIn(submission.targetPlatforms(), task));
    }

    /** Empty for what is, or once was, the task's accepted content. */
    private static List<String> contentDiffers(TaskSubmission submission, Article article, KnownTask task) {
        return task.contentKnown() ? List.of() : Differences.ofContent(submission, article, task.shown());
    }

    static List<String> notIn(List<String> platforms, KnownTask task) {
        return platforms.stream()
                .filter(platform -> !task.targetPlatforms().contains(platform))
                .toList();
    }
}
