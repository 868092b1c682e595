package dev.postonce.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** SHA-256 over canonical JSON (RFC 8785), as 64 lower-case hex digits: equal content has equal digests. */
public final class Digests {

    private static final String CONTENT_DIGEST = "content_digest";
    private static final JsonMapper READER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

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
        JsonNode tree;
        try {
            tree = READER.readTree(json);
        } catch (JacksonException e) {
            throw new UncheckedIOException("not JSON", new IOException(e));
        }
        if (tree.isMissingNode()) {
            throw new UncheckedIOException("not JSON", new IOException("empty"));
        }
        return ofCanonicalJson(tree);
    }

    /** The same of what was read already. */
    public static String ofCanonicalJson(JsonNode tree) {
        return sha256Hex(CanonicalJson.of(tree));
    }

    /** Digest of an event's state without its own {@code content_digest}; also checks one that was received. */
    public static String ofState(Object state) {
        ObjectNode tree = (ObjectNode) EventJson.tree(state);
        tree.remove(CONTENT_DIGEST);
        return ofCanonicalJson(tree);
    }
}
