package dev.postonce.ingest.group;

import dev.postonce.contract.Digests;
import dev.postonce.contract.GroupState;
import java.util.UUID;

/** Composes the states that events carry. */
final class GroupStates {

    private GroupStates() {}

    static GroupState first(String tenantId, UUID id, GroupSubmission submission) {
        return withDigest(new GroupState(
                tenantId,
                id.toString(),
                submission.operation(),
                submission.key(),
                submission.groupId(),
                1,
                false,
                submission.name(),
                submission.description(),
                submission.tags(),
                submission.category(),
                submission.language(),
                submission.submitterId(),
                ""));
    }

    static GroupState updated(GroupState now, GroupSubmission content) {
        return withDigest(new GroupState(
                now.tenantId(),
                now.id(),
                now.operation(),
                now.normalizedGroupId(),
                now.groupId(),
                now.version() + 1,
                now.deleted(),
                content.name(),
                content.description(),
                content.tags(),
                content.category(),
                content.language(),
                content.submitterId() == null ? now.submitterId() : content.submitterId(),
                ""));
    }

    static GroupState removed(GroupState now, boolean deleted) {
        return withDigest(copy(now, now.version() + 1, deleted, ""));
    }

    private static GroupState withDigest(GroupState draft) {
        return copy(draft, draft.version(), draft.deleted(), Digests.ofState(draft));
    }

    private static GroupState copy(GroupState from, long version, boolean deleted, String contentDigest) {
        return new GroupState(
                from.tenantId(),
                from.id(),
                from.operation(),
                from.normalizedGroupId(),
                from.groupId(),
                version,
                deleted,
                from.name(),
                from.description(),
                from.tags(),
                from.category(),
                from.language(),
                from.submitterId(),
                contentDigest);
    }
}
