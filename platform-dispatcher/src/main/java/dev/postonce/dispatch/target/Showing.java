package dev.postonce.dispatch.target;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a post shows, as far as it was confirmed.
 *
 * @param taskVersion null while it shows none
 * @param key see {@link Desired#key}
 * @param postId the platform's id; once there, later versions are edits of that post
 * @param observedAt when it was last confirmed at the platform
 */
public record Showing(
        @Nullable Long taskVersion,
        @Nullable String key,
        @Nullable String postId,
        @Nullable String url,
        @Nullable Instant observedAt) {

    public static final Showing NOTHING = new Showing(null, null, null, null, null);

    public boolean hasPost() {
        return postId != null;
    }

    /** Whether there is a post that readers do not see: it was taken back. */
    public boolean isHidden() {
        return Desired.DRAFT.equals(key) || Desired.ARCHIVED.equals(key);
    }

    public Showing atVersion(long version) {
        return new Showing(version, key, postId, url, observedAt);
    }
}
