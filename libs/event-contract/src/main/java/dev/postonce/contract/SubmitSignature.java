package dev.postonce.contract;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of a record of {@link Topics#SUBMIT}: {@code v1=} and the HMAC-SHA256, in hex, of {@code ce_id}, a line
 * feed, {@code ce_type}, a line feed and the value, under the UTF-8 bytes of the client's intake secret. The type is
 * signed too, so that nobody who may write to the topic turns one request into another.
 */
public final class SubmitSignature {

    public static final String KEY_ID_HEADER = "postonce-key-id";
    public static final String HEADER = "postonce-signature";

    private static final String SCHEME = "v1=";
    private static final String ALGORITHM = "HmacSHA256";

    private SubmitSignature() {}

    public static String of(String secret, String id, String type, byte[] value) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((id + "\n" + type + "\n").getBytes(StandardCharsets.UTF_8));
            return SCHEME + HexFormat.of().formatHex(mac.doFinal(value));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** In a time that does not tell how much of it was right. */
    public static boolean matches(String signature, String secret, String id, String type, byte[] value) {
        return MessageDigest.isEqual(
                signature.getBytes(StandardCharsets.UTF_8),
                of(secret, id, type, value).getBytes(StandardCharsets.UTF_8));
    }
}
