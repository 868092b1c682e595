package dev.postonce.index.search;

import dev.postonce.index.problem.ProblemException;
import dev.postonce.runtime.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The place after a hit: its score and key. Sealed with a key that all instances share, over tenant and question too:
 * it is good at each instance, and for nobody else and nothing else.
 */
final class SearchCursor {

    private static final int SEAL_BYTES = 16;

    record Place(float score, String key) {}

    private final Secret secret;

    SearchCursor(Secret secret) {
        this.secret = secret;
    }

    String write(Place place, String tenantId, SearchRequest request) {
        byte[] key = place.key().getBytes(StandardCharsets.UTF_8);
        byte[] seal = seal(place, tenantId, request);
        ByteBuffer bytes = ByteBuffer.allocate(SEAL_BYTES + Float.BYTES + key.length);
        bytes.put(seal).putFloat(place.score()).put(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    @Nullable
    Place read(String tenantId, SearchRequest request) {
        String cursor = request.cursor();
        if (cursor == null || cursor.isEmpty()) {
            return null;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
            if (bytes.remaining() <= SEAL_BYTES + Float.BYTES) {
                throw notOurs();
            }
            byte[] seal = new byte[SEAL_BYTES];
            bytes.get(seal);
            float score = bytes.getFloat();
            Place place = new Place(score, StandardCharsets.UTF_8.decode(bytes).toString());
            if (!MessageDigest.isEqual(seal, seal(place, tenantId, request))) {
                throw notOurs();
            }
            return place;
        } catch (IllegalArgumentException e) {
            throw notOurs();
        }
    }

    private static ProblemException notOurs() {
        return ProblemException.badQuery("cursor is not of this question; begin without one");
    }

    private byte[] seal(Place place, String tenantId, SearchRequest request) {
        String kind = request.kind() == null ? "" : request.kind().wireName();
        String text = String.join(
                "\u0000",
                "postonce-search-cursor",
                tenantId,
                kind,
                request.text(),
                Integer.toString(Float.floatToIntBits(place.score())),
                place.key());
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.reveal().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] full = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return java.util.Arrays.copyOf(full, SEAL_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
