package dev.postonce.ingest.task;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.TaskState;
import dev.postonce.contract.Topics;
import dev.postonce.ingest.task.TaskSubmission.Media;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Composes the states that events carry. */
final class TaskStates {

    /** For what later forms of the event add: a withdrawal, every platform, longer numbers, the record's headers. */
    static final int ROOM_BYTES = 16 * 1024;

    static final int DATA_BYTES_MAX = Topics.EVENT_BYTES_MAX - ROOM_BYTES;

    private TaskStates() {}

    /** The state of version 1, whole before anything is asked of the database. */
    static TaskState first(String tenantId, UUID taskId, TaskSubmission submission, Article article) {
        return of(
                new Standing(tenantId, taskId.toString(), 1, submission.groupCode(), submission.targetPlatforms()),
                submission,
                article);
    }

    /**
     * What an active task keeps when its article is replaced.
     *
     * @param version the new one
     * @param platforms all that it has from now on
     */
    record Standing(String tenantId, String taskId, long version, String groupCode, List<String> platforms) {}

    static TaskState of(Standing standing, TaskSubmission submission, Article article) {
        return withDigest(new TaskState(
                standing.tenantId(),
                standing.taskId(),
                submission.externalId(),
                standing.version(),
                KnownTask.ACTIVE,
                false,
                null,
                submission.businessRefId(),
                standing.groupCode(),
                submission.title(),
                article.html(),
                submission.media() == Media.MARKDOWN ? submission.source() : null,
                submission.coverUrl(),
                submission.summary(),
                submission.tags(),
                submission.category(),
                standing.platforms(),
                submission.canonicalUrl(),
                submission.publishAt(),
                submission.site(),
                submission.slug(),
                submission.language(),
                submission.translationKey(),
                article.articleDigest(),
                ""));
    }

    /** The next version, with more platforms and nothing else changed. */
    static TaskState withPlatforms(TaskState now, List<String> added) {
        return withDigest(copy(now, now.version() + 1, statusOf(now), joined(now.targetPlatforms(), added), ""));
    }

    static List<String> joined(List<String> platforms, List<String> added) {
        List<String> all = new ArrayList<>(platforms);
        all.addAll(added);
        return List.copyOf(all);
    }

    /**
     * Whether a task is out.
     *
     * @param posts of a withdrawn task, {@link TaskState#KEEP} or {@link TaskState#GONE}; null of an active one
     */
    record Status(String name, @Nullable String posts) {

        static final Status ACTIVE = new Status(KnownTask.ACTIVE, null);
    }

    /** The next version, taken back or revived, with nothing else changed. */
    static TaskState withStatus(TaskState now, Status status) {
        return withDigest(copy(now, now.version() + 1, status, now.targetPlatforms(), ""));
    }

    private static Status statusOf(TaskState state) {
        return new Status(state.status(), state.withdrawnPublic());
    }

    private static TaskState withDigest(TaskState draft) {
        return copy(draft, draft.version(), statusOf(draft), draft.targetPlatforms(), Digests.ofState(draft));
    }

    private static TaskState copy(
            TaskState from, long version, Status status, List<String> platforms, String contentDigest) {
        return new TaskState(
                from.tenantId(),
                from.taskId(),
                from.externalId(),
                version,
                status.name(),
                !status.name().equals(KnownTask.ACTIVE),
                status.posts(),
                from.businessRefId(),
                from.groupCode(),
                from.title(),
                from.contentHtml(),
                from.contentMd(),
                from.coverUrl(),
                from.summary(),
                from.tags(),
                from.category(),
                platforms,
                from.canonicalUrl(),
                from.publishAt(),
                from.site(),
                from.slug(),
                from.language(),
                from.translationKey(),
                from.articleDigest(),
                contentDigest);
    }

    /** The event's data. */
    static String encode(TaskState state) {
        String data = EventJson.write(state);
        int bytes = data.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > DATA_BYTES_MAX) {
            throw Refusal.of(
                            ErrorCode.PAYLOAD_TOO_LARGE,
                            "the article, cleaned and encoded, takes " + bytes + " bytes; " + DATA_BYTES_MAX
                                    + " can be carried")
                    .with("limit_bytes", DATA_BYTES_MAX);
        }
        return data;
    }
}
