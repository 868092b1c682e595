package dev.postonce.ingest.callback;

import dev.postonce.contract.Digests;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an upstream is to be told: one target came to rest in a state.
 *
 * @param status the target's state
 * @param dispatchVersion of the target; each version is told once at most
 */
public record NewCallback(
        String tenantId,
        String externalId,
        @Nullable String businessRefId,
        String platform,
        String status,
        @Nullable String platformUrl,
        @Nullable String errorCode,
        long taskVersion,
        long dispatchVersion,
        Instant occurredAt) {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int ID_DIGITS = 32;

    /** Made from the target's version alone: the same on each retry, and after the row was lost and made again. */
    String webhookId() {
        String identity = tenantId + ":" + externalId + "/" + platform + "\n" + dispatchVersion;
        return "msg_" + Digests.sha256Hex("postonce-callback\n" + identity).substring(0, ID_DIGITS);
    }

    /** Every member is always there, null where it has no value. */
    String body(long sequence) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("external_id", externalId);
        members.put("business_ref_id", businessRefId);
        members.put("platform", platform);
        members.put("status", status);
        members.put("platform_url", platformUrl);
        members.put("error_code", errorCode);
        members.put("sequence", sequence);
        members.put("task_version", taskVersion);
        members.put("occurred_at", occurredAt.toString());
        return MAPPER.writeValueAsString(members);
    }
}
