package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import dev.postonce.ingest.web.Fields;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a withdrawal or a restoration asks for.
 *
 * @param reason why; a withdrawal has one
 * @param ifMatch the version that it is meant for; null for whichever there is
 */
record StatusChange(TaskStates.Status status, @Nullable String reason, @Nullable Long ifMatch) {

    private static final Set<String> WITHDRAWAL_FIELDS = Set.of("status", "reason", "public");
    private static final Set<String> RESTORATION_FIELDS = Set.of("reason");
    private static final Pattern STATUS = Pattern.compile("draft|archived");
    private static final Pattern PUBLIC = Pattern.compile("keep|gone");
    private static final int REASON_CHARACTERS_MAX = 500;

    /** The body of {@code POST …/withdraw}; posts are taken back unless it says {@code keep}. */
    static StatusChange ofWithdrawal(ObjectNode json, @Nullable Long ifMatch) {
        Fields fields = new Fields(json, WITHDRAWAL_FIELDS);
        fields.require("status");
        fields.require("reason");
        @Nullable String status = fields.matching("status", STATUS, "draft or archived");
        @Nullable String reason = fields.line("reason", REASON_CHARACTERS_MAX);
        @Nullable String posts = fields.matching("public", PUBLIC, "keep or gone");
        fields.refuseIfWrong();
        return new StatusChange(
                new TaskStates.Status(status == null ? "" : status, posts == null ? TaskState.GONE : posts),
                reason,
                ifMatch);
    }

    /** The body of {@code POST …/restore}, which may be empty. */
    static StatusChange ofRestoration(ObjectNode json, @Nullable Long ifMatch) {
        Fields fields = new Fields(json, RESTORATION_FIELDS);
        @Nullable String reason = fields.line("reason", REASON_CHARACTERS_MAX);
        fields.refuseIfWrong();
        return new StatusChange(TaskStates.Status.ACTIVE, reason, ifMatch);
    }

    boolean restores() {
        return status.equals(TaskStates.Status.ACTIVE);
    }

    /** Whether the task is so already. */
    boolean isMetBy(KnownTask task) {
        @Nullable Withdrawal withdrawal = task.withdrawal();
        String posts = withdrawal == null ? TaskState.GONE : withdrawal.posts();
        return task.status().equals(status.name()) && (restores() || posts.equals(status.posts()));
    }
}
