package dev.postonce.contract;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The data of {@code dev.postonce.dispatch.state.v1}: where one post at one platform stands.
 *
 * @param platform wire name of {@link Platform}
 * @param account which of the tenant's accounts at the platform; null until one is chosen
 * @param version of this target, +1 for each change of its state; equals the envelope's aggregate version
 * @param taskVersion the task version that it should show
 * @param shownTaskVersion the task version that it shows; null while it shows none
 * @param state wire name of {@link TargetState}
 * @param platformPostId the platform's own id of the post
 * @param observedAt when its existence at the platform was last confirmed
 * @param errorCode machine-readable; null without an error
 * @param contentDigest {@link Digests#ofState} over this whole record but itself
 */
public record DispatchState(
        String tenantId,
        String externalId,
        String platform,
        @Nullable String account,
        long version,
        boolean deleted,
        long taskVersion,
        @Nullable Long shownTaskVersion,
        String state,
        @Nullable String platformPostId,
        @Nullable String platformUrl,
        @Nullable Instant observedAt,
        @Nullable String errorCode,
        @Nullable String errorDetail,
        Instant changedAt,
        String contentDigest) {}
