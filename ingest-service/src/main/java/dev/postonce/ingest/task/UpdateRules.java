package dev.postonce.ingest.task;

import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is answered to an update. Rows are asked in their order; the first that fits wins. */
final class UpdateRules {

    /** What an update comes to. */
    sealed interface Decision {

        /** Nothing changes. */
        record Repeated(Verdict.Replayed replay) implements Decision {}

        /** The article takes the place of the present one; these platforms come to those that are there. */
        record Changes(KnownTask task, List<String> newPlatforms) implements Decision {}
    }

    private UpdateRules() {}

    /** @throws Refusal for whatever is not to be changed so */
    static Decision judge(
            TaskUpdate update, Article article, Known known, @Nullable String payloadDigest, Instant now) {
        TaskSubmission submission = update.article();
        @Nullable KnownTask bound = boundTo(known, payloadDigest, now);
        if (bound != null) {
            return repeated("header", submission, article, bound);
        }
        KnownTask task = known.byExternalId(submission.externalId()).orElseThrow(UpdateRules::unknown);
        known.otherWithSlug(submission).ifPresent(other -> refuseSlug(submission, article, other));
        if (update.namesGroup() && !task.groupCode().equals(submission.groupCode())) {
            throw SubmissionRules.groupConflict(task);
        }
        if (task.isWithdrawn()) {
            return repeated("natural", submission, article, task);
        }
        List<String> added = SubmissionRules.notIn(submission.targetPlatforms(), task);
        boolean equal = differences(submission, article, task).isEmpty() && added.isEmpty();
        boolean present = update.version() == task.version();
        if (equal && (present || update.version() == task.version() - 1)) {
            return repeated("natural", submission, article, task);
        }
        if (!present) {
            throw versionConflict(task, update.version());
        }
        return new Decision.Changes(task, added);
    }

    /** The task that the request's key stands for already. */
    static @Nullable KnownTask boundTo(Known known, @Nullable String payloadDigest, Instant now) {
        @Nullable KeyRecord key = known.keyRecord();
        if (key == null || key.isExpired(now)) {
            return null;
        }
        if (!key.payloadDigest().equals(payloadDigest)) {
            throw SubmissionRules.keyReused(key);
        }
        return known.byExternalId(key.resourceRef()).orElse(null);
    }

    static Refusal versionConflict(KnownTask task, long asked) {
        return Refusal.of(
                        ErrorCode.VERSION_CONFLICT,
                        "the change is meant for version " + asked + ", and the task has version " + task.version())
                .with("current_version", task.version())
                .with("links", Map.of("current", TaskView.self(task)));
    }

    static Refusal unknown() {
        return Refusal.of(ErrorCode.NOT_FOUND, "there is no task with this external_id");
    }

    private static void refuseSlug(TaskSubmission submission, Article article, KnownTask other) {
        List<String> differs = new ArrayList<>(List.of("external_id"));
        differs.addAll(Differences.ofArticle(submission, article, other.shown()));
        throw SubmissionRules.slugConflict(other, differs);
    }

    private static Decision repeated(String kind, TaskSubmission submission, Article article, KnownTask task) {
        return new Decision.Repeated(new Verdict.Replayed(
                task,
                kind,
                differences(submission, article, task),
                SubmissionRules.notIn(submission.targetPlatforms(), task)));
    }

    private static List<String> differences(TaskSubmission submission, Article article, KnownTask task) {
        List<String> differs = new ArrayList<>(Differences.ofContent(submission, article, task.shown()));
        differs.addAll(Differences.ofHandling(submission, task.shown()));
        return List.copyOf(differs);
    }
}
