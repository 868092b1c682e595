package dev.postonce.dispatch.target;

import dev.postonce.contract.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a post should show.
 *
 * @param articleDigest over what a platform would show
 * @param status {@code active}, {@code draft}, {@code archived}, or {@code kept}: withdrawn, and what is out stays out
 */
public record Desired(long taskVersion, String articleDigest, String status, @Nullable Instant publishAt) {

    public static final String ACTIVE = "active";

    public static final String DRAFT = "draft";

    public static final String ARCHIVED = "archived";

    public static final String KEPT = "kept";

    public static Desired of(TaskState task) {
        return new Desired(task.version(), task.articleDigest(), statusOf(task), task.publishAt());
    }

    private static String statusOf(TaskState task) {
        if (task.keepsPosts()) {
            return KEPT;
        }
        if (task.status().equals(DRAFT) || task.status().equals(ARCHIVED)) {
            return task.status();
        }
        return task.deleted() ? ARCHIVED : ACTIVE;
    }

    /** Whether posts may be made that are not there yet. */
    public boolean active() {
        return status.equals(ACTIVE);
    }

    /** Whether a post that is there may stay. */
    public boolean visible() {
        return active() || status.equals(KEPT);
    }

    /** Equal keys look equal to a reader: a post that is taken back shows nothing, whatever its article. */
    public String key() {
        return visible() ? ACTIVE + ":" + articleDigest : status;
    }
}
