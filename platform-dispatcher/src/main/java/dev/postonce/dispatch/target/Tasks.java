package dev.postonce.dispatch.target;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The newest state of each task, as its topic told it. Each call is part of the caller's transaction. */
public interface Tasks {

    /** A task's event. */
    record Told(EventEnvelope envelope, TaskState task) {}

    /** A task as it stands. */
    record Known(TaskState task, Instant occurredAt, @Nullable String traceparent) {}

    /** Keeps what is newer than what is there. */
    void upsert(List<Told> tasks);

    Optional<Known> find(TargetId id);

    @Nullable
    String traceparentOf(TargetId id);
}
