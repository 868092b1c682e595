package dev.postonce.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of {@code dev.postonce.group.state.v1}: a group entry's whole state.
 *
 * @param id the resource id, a UUID
 * @param operation such as {@code submit_index}
 * @param normalizedGroupId such as {@code u:some_group}, {@code i:AbC-d_E1}, {@code c:1234567890}
 * @param groupId as it was first written by the upstream
 * @param contentDigest {@link Digests#ofState} over this whole record but itself
 */
public record GroupState(
        String tenantId,
        String id,
        String operation,
        String normalizedGroupId,
        String groupId,
        long version,
        boolean deleted,
        @Nullable String name,
        @Nullable String description,
        List<String> tags,
        @Nullable String category,
        @Nullable String language,
        @Nullable String submitterId,
        String contentDigest) {}
