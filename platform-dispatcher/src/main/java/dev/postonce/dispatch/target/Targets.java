package dev.postonce.dispatch.target;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The targets' rows, and the events of their changes. Each call is part of the caller's transaction. */
public interface Targets {

    /** A target under its lease, locked. */
    record Leased(Target target, String groupCode, Instant now) {}

    /**
     * A change to be written with its events.
     *
     * @param traceparent of the request that asked for the post
     * @param groupCode null keeps the row's
     */
    record Save(TargetChange change, @Nullable String groupCode, boolean releaseLease, @Nullable String traceparent) {}

    Instant databaseNow();

    /** All targets of these tasks, locked, in one order. */
    List<Target> lockOfTasks(Collection<TaskKey> tasks);

    /** Empty if the lease is another's by now: whoever asks has been fenced off. */
    Optional<Leased> lockLeased(TargetId id, long token);

    void insert(List<Save> saves);

    void update(List<Save> saves);
}
