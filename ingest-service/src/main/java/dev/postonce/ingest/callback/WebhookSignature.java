package dev.postonce.ingest.callback;

import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Standard Webhooks 1.0.0, symmetric: HMAC-SHA256 over {@code id.timestamp.body}. */
final class WebhookSignature {

    private static final String SECRET_PREFIX = "whsec_";
    private static final int KEY_BYTES_MIN = 24;
    private static final int KEY_BYTES_MAX = 64;

    private WebhookSignature() {}

    /**
     * The value of {@code webhook-signature}: one signature for each secret, so that a receiver that knows the old or
     * the new one accepts it.
     */
    static String of(List<Secret> secrets, String id, long timestamp, byte[] body) {
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(hmac(keyOf(secret), id, timestamp, body)))
                .collect(Collectors.joining(" "));
    }

    /** @throws IllegalArgumentException if the secret is not {@code whsec_} and base64 of 24 to 64 bytes */
    static byte[] keyOf(Secret secret) {
        String text = secret.reveal();
        byte[] key;
        try {
            key = Base64.getDecoder()
                    .decode(text.startsWith(SECRET_PREFIX) ? text.substring(SECRET_PREFIX.length()) : text);
        } catch (IllegalArgumentException e) {
            // The decoder's own message quotes the value.
            throw new IllegalArgumentException("a callback secret is whsec_ and base64");
        }
        if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
            throw new IllegalArgumentException("a callback secret has 24 to 64 bytes, this one " + key.length);
        }
        return key;
    }

    private static byte[] hmac(byte[] key, String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
