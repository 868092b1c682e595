package dev.postonce.dispatch.connector;

import dev.postonce.contract.TaskState;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.TargetId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done at a platform; a request is made of it once, and kept.
 *
 * @param occurredAt when the task's version was accepted
 * @param postId of the post that is changed; null for a new one
 */
public record Effect(TargetId id, Action action, TaskState task, Instant occurredAt, @Nullable String postId) {

    public String marker() {
        return id.marker();
    }
}
