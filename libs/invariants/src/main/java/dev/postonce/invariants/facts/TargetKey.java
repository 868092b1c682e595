package dev.postonce.invariants.facts;

/** One post at one platform. */
public record TargetKey(String tenantId, String externalId, String platform) {

    @Override
    public String toString() {
        return "target " + tenantId + ":" + externalId + "/" + platform;
    }
}
