package dev.postonce.dispatch.webhook;

import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures as Standard Webhooks 1.0.0 describes them. */
final class StandardWebhooks {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private StandardWebhooks() {}

    /**
     * The value of {@code webhook-signature}.
     *
     * @param timestamp Unix seconds, of this try
     */
    static String sign(Secret secret, String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(keyOf(secret), ALGORITHM));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    private static byte[] keyOf(Secret secret) {
        String text = secret.reveal();
        try {
            return Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
        } catch (IllegalArgumentException e) {
            // Without its cause: the message would quote a character of the secret.
            throw new BadSecretException();
        }
    }

    /** The configured secret is no base64. */
    static final class BadSecretException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadSecretException() {
            super("the webhook's secret is not whsec_ and base64");
        }
    }
}
