package dev.postonce.sandbox.journal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The sandbox's JSON; written by hand with tree nodes, since the shapes are the platforms' and not ours. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** Null where it is not JSON, so that callers must decide. */
    public static @Nullable JsonNode parse(byte[] bytes) {
        try {
            JsonNode node = MAPPER.readTree(bytes);
            return node.isMissingNode() ? null : node;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** A member's text; null where it is absent, null, or no text or number. */
    public static @Nullable String text(JsonNode node, String member) {
        JsonNode value = node.get(member);
        if (value == null || value.isNull() || value.isContainer()) {
            return null;
        }
        return value.asString();
    }
}
