package dev.postonce.contract;

/** A record's key, {@code tenant:aggregate-id}. A tenant id has no colon, so the first colon divides. */
public record RecordKey(String tenantId, String aggregateId) {

    public RecordKey {
        if (!tenantId.matches("[a-z0-9][a-z0-9-]{0,31}")) {
            throw new IllegalArgumentException("not a tenant id: " + tenantId);
        }
        if (aggregateId.isEmpty()) {
            throw new IllegalArgumentException("empty aggregate id");
        }
    }

    public static RecordKey parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("a record key is tenant:aggregate-id, was " + text);
        }
        return new RecordKey(text.substring(0, colon), text.substring(colon + 1));
    }

    public static RecordKey ofTask(String tenantId, String externalId) {
        return new RecordKey(tenantId, externalId);
    }

    public static RecordKey ofGroup(String tenantId, String operation, String normalizedGroupId) {
        return new RecordKey(tenantId, operation + "/" + normalizedGroupId);
    }

    public static RecordKey ofTarget(String tenantId, String externalId, Platform platform) {
        return new RecordKey(tenantId, externalId + "/" + platform.wireName());
    }

    @Override
    public String toString() {
        return tenantId + ":" + aggregateId;
    }
}
