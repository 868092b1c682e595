package dev.postonce.contract;

/**
 * The mark that each post carries, so that it can be found again: derived from the target's identity alone, never
 * from what an upstream wrote, and telling a stranger nothing.
 */
public final class TargetMarker {

    private static final int DIGEST_CHARACTERS = 32;

    private TargetMarker() {}

    /** {@code po1-} and 32 hex digits; letters, digits and a dash only, so it survives any platform's cleaning. */
    public static String of(String tenantId, String externalId, Platform platform) {
        String identity = RecordKey.ofTarget(tenantId, externalId, platform).toString();
        return "po1-" + Digests.sha256Hex("postonce-target\n" + identity).substring(0, DIGEST_CHARACTERS);
    }
}
