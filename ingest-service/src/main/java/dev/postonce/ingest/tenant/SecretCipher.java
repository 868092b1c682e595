package dev.postonce.ingest.tenant;

import dev.postonce.runtime.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM for secrets at rest. What a secret is for is bound into the ciphertext, so that one moved to another
 * row does not decrypt there.
 */
public final class SecretCipher {

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final @Nullable SecretKeySpec key;
    private final SecureRandom random;

    private SecretCipher(@Nullable SecretKeySpec key, SecureRandom random) {
        this.key = key;
        this.random = random;
    }

    /** @param base64Key 32 bytes; empty gives a cipher that refuses to work, and says which setting is missing */
    public static SecretCipher of(String base64Key, SecureRandom random) {
        if (base64Key.isEmpty()) {
            return new SecretCipher(null, random);
        }
        byte[] bytes = decoded(base64Key);
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("POSTONCE_SECRETS_KEY must be base64 of " + KEY_BYTES + " bytes");
        }
        return new SecretCipher(new SecretKeySpec(bytes, "AES"), random);
    }

    private static byte[] decoded(String base64Key) {
        try {
            return Base64.getDecoder().decode(base64Key);
        } catch (IllegalArgumentException e) {
            // The decoder's own message quotes the value.
            throw new IllegalArgumentException("POSTONCE_SECRETS_KEY is not base64");
        }
    }

    /** Whether it was given a key. */
    public boolean isUsable() {
        return key != null;
    }

    /** @param purpose such as {@code callback_secret:tenant}; the same is needed to decrypt */
    public byte[] encrypt(Secret secret, String purpose) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, purpose, secret.reveal().getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.allocate(nonce.length + sealed.length)
                .put(nonce)
                .put(sealed)
                .array();
    }

    /** @throws IllegalStateException if it was encrypted under another key or for another purpose */
    public Secret decrypt(byte[] ciphertext, String purpose) {
        ByteBuffer buffer = ByteBuffer.wrap(ciphertext);
        byte[] nonce = new byte[NONCE_BYTES];
        buffer.get(nonce);
        byte[] sealed = new byte[buffer.remaining()];
        buffer.get(sealed);
        return Secret.of(new String(run(Cipher.DECRYPT_MODE, nonce, purpose, sealed), StandardCharsets.UTF_8));
    }

    private byte[] run(int mode, byte[] nonce, String purpose, byte[] input) {
        if (key == null) {
            throw new IllegalStateException("POSTONCE_SECRETS_KEY is not set, so no secret can be kept or read");
        }
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "a secret (" + purpose + ") does not decrypt: was POSTONCE_SECRETS_KEY changed?", e);
        }
    }
}
