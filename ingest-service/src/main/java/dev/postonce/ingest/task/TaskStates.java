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

/** Composes the states that events carry. */
final class TaskStates {

    /** For what later forms of the event add: a withdrawal, every platform, longer numbers, the record's headers. */
    static final int ROOM_BYTES = 16 * 1024;

    static final int DATA_BYTES_MAX = Topics.EVENT_BYTES_MAX - ROOM_BYTES;

    private TaskStates() {}

    /** The state of version 1, whole before anything is asked of the database. */
    static TaskState first(String tenantId, UUID taskId, TaskSubmission submission, Article article) {
        return withDigest(new TaskState(
                tenantId,
                taskId.toString(),
                submission.externalId(),
                1,
                "active",
                false,
                submission.businessRefId(),
                submission.groupCode(),
                submission.title(),
                article.html(),
                submission.media() == Media.MARKDOWN ? submission.source() : null,
                submission.coverUrl(),
                submission.summary(),
                submission.tags(),
                submission.category(),
                submission.targetPlatforms(),
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
        List<String> platforms = new ArrayList<>(now.targetPlatforms());
        platforms.addAll(added);
        return withDigest(copy(now, now.version() + 1, List.copyOf(platforms), ""));
    }

    private static TaskState withDigest(TaskState draft) {
        return copy(draft, draft.version(), draft.targetPlatforms(), Digests.ofState(draft));
    }

    private static TaskState copy(TaskState from, long version, List<String> platforms, String contentDigest) {
        return new TaskState(
                from.tenantId(),
                from.taskId(),
                from.externalId(),
                version,
                from.status(),
                from.deleted(),
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
