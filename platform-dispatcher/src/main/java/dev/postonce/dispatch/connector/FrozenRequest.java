package dev.postonce.dispatch.connector;

import dev.postonce.contract.Digests;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request, as it is kept in the ledger and sent, now or again. Credentials, signatures and times of sending are
 * no part of it.
 *
 * @param platformKey by which the platform dedupes; null if it does not
 * @param claim a name that only one post may have there; null if it claims none
 */
public record FrozenRequest(
        String method,
        URI url,
        @Nullable String contentType,
        byte @Nullable [] body,
        @Nullable String platformKey,
        @Nullable Claim claim) {

    /**
     * @param place where the name is unique, such as a site's address
     */
    public record Claim(String place, String name) {}

    public String digest() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head = method + " " + url + "\n" + (contentType == null ? "" : contentType) + "\n"
                + (platformKey == null ? "" : platformKey) + "\n\n";
        bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        if (body != null) {
            bytes.writeBytes(body);
        }
        return Digests.sha256Hex(bytes.toByteArray());
    }
}
