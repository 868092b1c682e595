package dev.postonce.sandbox.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Checks a Standard Webhooks 1.0.0 signature; written apart from the senders, so that it can judge them. */
public final class StandardWebhooks {

    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final String PREFIX = "whsec_";
    private static final String SCHEME = "v1,";

    private final List<byte[]> keys;

    /**
     * Makes a verifier.
     *
     * @param secrets {@code whsec_…}, several separated by a space or comma, as while one is exchanged
     */
    public StandardWebhooks(String secrets) {
        List<byte[]> decoded = new ArrayList<>();
        for (String secret : secrets.trim().split("[\\s,]+")) {
            String base64 = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
            decoded.add(Base64.getDecoder().decode(base64));
        }
        keys = List.copyOf(decoded);
    }

    /** Why it is refused; null if it is accepted. */
    public @Nullable String refusal(
            @Nullable String id, @Nullable String timestamp, @Nullable String signatures, byte[] body, Instant now) {
        if (id == null || timestamp == null || signatures == null) {
            return "webhook-id, webhook-timestamp and webhook-signature are required";
        }
        if (!timestamp.matches("[0-9]{1,12}")) {
            return "webhook-timestamp is not in seconds";
        }
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now);
        if (age.abs().compareTo(TOLERANCE) > 0) {
            return "webhook-timestamp is " + age.toSeconds() + " s away";
        }
        for (String signature : signatures.split(" ")) {
            if (signature.startsWith(SCHEME)) {
                byte[] given = signature.substring(SCHEME.length()).getBytes(StandardCharsets.US_ASCII);
                for (byte[] key : keys) {
                    if (MessageDigest.isEqual(given, sign(key, id, timestamp, body))) {
                        return null;
                    }
                }
            }
        }
        return "no signature fits";
    }

    private static byte[] sign(byte[] key, String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encode(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
