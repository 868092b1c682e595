package dev.postonce.dispatch.target;

import dev.postonce.contract.Platform;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TargetMarker;

/** One post: a task at a platform. */
public record TargetId(String tenantId, String externalId, Platform platform) {

    public String marker() {
        return TargetMarker.of(tenantId, externalId, platform);
    }

    public RecordKey recordKey() {
        return RecordKey.ofTarget(tenantId, externalId, platform);
    }

    /** {@code external_id/platform}; the subject of its events. */
    public String subject() {
        return externalId + "/" + platform.wireName();
    }

    @Override
    public String toString() {
        return recordKey().toString();
    }
}
