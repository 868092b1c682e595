package dev.postonce.dispatch.connector;

import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.TargetId;
import org.jspecify.annotations.Nullable;

/** An attempt as its connector sees it: the frozen request, and what it is to bring about. */
public record Job(TargetId id, Action action, long taskVersion, @Nullable String postId, FrozenRequest request) {

    public String marker() {
        return id.marker();
    }
}
