package dev.postonce.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.erdtman.jcs.JsonCanonicalizer;
import tools.jackson.databind.node.ObjectNode;

/** SHA-256 over canonical JSON (RFC 8785), as 64 lower-case hex digits: equal content has equal digests. */
public final class Digests {

    private static final String CONTENT_DIGEST = "content_digest";

    private Digests() {}

    public static String sha256Hex(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static String sha256Hex(String text) {
        return sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Digest of any JSON text, whatever the order of its members and its blanks. */
    public static String ofCanonicalJson(String json) {
        try {
            return sha256Hex(new JsonCanonicalizer(json).getEncodedUTF8());
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON", e);
        }
    }

    /** Digest of an event's state without its own {@code content_digest}; also checks one that was received. */
    public static String ofState(Object state) {
        ObjectNode tree = (ObjectNode) EventJson.tree(state);
        tree.remove(CONTENT_DIGEST);
        return ofCanonicalJson(tree.toString());
    }
}
