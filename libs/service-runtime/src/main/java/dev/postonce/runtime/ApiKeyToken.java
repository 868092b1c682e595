package dev.postonce.runtime;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * An API key as it travels: {@code pk_<env>_<key id>_<64 hex digits>_<8 hex digits>}. The prefix tells a scanner what
 * was leaked; the checksum lets a server refuse junk without a look-up. Only the key id and a digest are stored.
 */
public record ApiKeyToken(String environment, String keyId, Secret secret) {

    private static final Pattern FORM =
            Pattern.compile("pk_([a-z]{1,12})_([a-z0-9]{4,24})_([0-9a-f]{64})_([0-9a-f]{8})");
    private static final Pattern ENVIRONMENT = Pattern.compile("[a-z]{1,12}");
    private static final Pattern KEY_ID = Pattern.compile("[a-z0-9]{4,24}");
    private static final int SECRET_BYTES = 32;

    public ApiKeyToken {
        if (!ENVIRONMENT.matcher(environment).matches()
                || !KEY_ID.matcher(keyId).matches()) {
            throw new IllegalArgumentException(
                    "environment is 1 to 12 of a-z, key id 4 to 24 of a-z 0-9; were " + environment + " and " + keyId);
        }
    }

    /** Empty for anything that cannot be a key; unknown and malformed keys are answered alike. */
    public static Optional<ApiKeyToken> parse(String text) {
        Matcher match = FORM.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        ApiKeyToken token = new ApiKeyToken(match.group(1), match.group(2), Secret.of(match.group(3)));
        return token.checksum().equals(match.group(4)) ? Optional.of(token) : Optional.empty();
    }

    /** @param random a cryptographically strong source, such as {@code SecureRandom} */
    public static ApiKeyToken generate(String environment, String keyId, RandomGenerator random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new ApiKeyToken(environment, keyId, Secret.of(HexFormat.of().formatHex(secret)));
    }

    /** The whole key, to be shown once. */
    public String reveal() {
        return body() + "_" + checksum();
    }

    /** SHA-256 over pepper and secret; 256 random bits need no slow hash. */
    public String digest(Secret pepper) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(pepper.reveal().getBytes(StandardCharsets.UTF_8));
            sha256.update((byte) 0);
            sha256.update(secret.reveal().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Compares in constant time. */
    public boolean matches(String storedDigest, Secret pepper) {
        return MessageDigest.isEqual(
                storedDigest.getBytes(StandardCharsets.US_ASCII), digest(pepper).getBytes(StandardCharsets.US_ASCII));
    }

    private String body() {
        return "pk_" + environment + "_" + keyId + "_" + secret.reveal();
    }

    private String checksum() {
        CRC32 crc = new CRC32();
        crc.update(body().getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
