package dev.postonce.invariants.facts;

import java.util.HexFormat;

/** The first 16 bytes of a SHA-256: enough to tell contents apart, and small. */
public record Fingerprint(long high, long low) {

    private static final int HEX_DIGITS = 32;
    private static final int BYTES = 16;

    /** @param hex at least 32 hex digits, such as a whole SHA-256 */
    public static Fingerprint ofHex(String hex) {
        if (hex.length() < HEX_DIGITS) {
            throw new IllegalArgumentException("a digest of " + hex.length() + " digits is too short to compare");
        }
        return new Fingerprint(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }

    /** @param digest at least 16 bytes */
    public static Fingerprint ofBytes(byte[] digest) {
        if (digest.length < BYTES) {
            throw new IllegalArgumentException("a digest of " + digest.length + " bytes is too short to compare");
        }
        return ofHex(HexFormat.of().formatHex(digest, 0, BYTES));
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
