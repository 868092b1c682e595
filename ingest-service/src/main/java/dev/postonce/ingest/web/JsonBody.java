package dev.postonce.ingest.web;

import dev.postonce.contract.Digests;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads request bodies with a limit on everything, and the same strictness for every route. */
public final class JsonBody {

    private static final int DEPTH_MAX = 20;
    private static final int NAME_CHARACTERS_MAX = 256;
    private static final int NUMBER_CHARACTERS_MAX = 40;

    private final int bytesMax;
    private final JsonMapper mapper;

    public JsonBody(int bytesMax) {
        this.bytesMax = bytesMax;
        this.mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEPTH_MAX)
                                .maxStringLength(bytesMax)
                                .maxNameLength(NAME_CHARACTERS_MAX)
                                .maxNumberLength(NUMBER_CHARACTERS_MAX)
                                .build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();
    }

    /**
     * @param json the body
     * @param contentDigest of its canonical form
     */
    public record Parsed(ObjectNode json, String contentDigest) {

        /** @throws Refusal for what has no canonical form */
        public static Parsed of(ObjectNode json) {
            try {
                return new Parsed(json, Digests.ofCanonicalJson(json));
            } catch (UncheckedIOException e) {
                throw Refusal.badPayload("", "a number is larger than any double");
            }
        }

        /** Equal for equal requests: method, path, {@code If-Match} and body, whatever the order of its members. */
        public String digest(HttpServletRequest request) {
            return digest(request.getMethod(), request.getRequestURI(), request.getHeader("If-Match"));
        }

        /** The same for a write that came over another face, by what it would be over HTTP. */
        public String digest(String method, String path, @Nullable String ifMatch) {
            return Digests.sha256Hex(
                    method + "\n" + path + "\n" + (ifMatch == null ? "" : ifMatch) + "\n" + contentDigest);
        }
    }

    public int bytesMax() {
        return bytesMax;
    }

    public Parsed read(HttpServletRequest request) {
        if (request.getContentLengthLong() > bytesMax) {
            throw tooLarge();
        }
        requireJson(request);
        return parse(bytesOf(request));
    }

    /** As {@link #read}, for a request that may come without a body; then it counts as an empty object. */
    public Parsed readIfAny(HttpServletRequest request) {
        boolean none = request.getContentLengthLong() == 0
                || (request.getContentLengthLong() < 0 && request.getHeader("Transfer-Encoding") == null);
        return none ? parse("{}".getBytes(StandardCharsets.UTF_8)) : read(request);
    }

    /** A body that came over another face; as strict, and with the same limits. */
    public Parsed parse(byte[] utf8) {
        return Parsed.of(tree(utf8));
    }

    /** As {@link #parse}, for a face that takes something out of the body before it is what it would be over HTTP. */
    public ObjectNode tree(byte[] utf8) {
        if (utf8.length > bytesMax) {
            throw tooLarge();
        }
        return objectOf(decode(utf8));
    }

    private static void requireJson(HttpServletRequest request) {
        require(request, "json");
    }

    /** @param subtype of {@code application}, such as {@code json} */
    public static void require(HttpServletRequest request, String subtype) {
        @Nullable String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw Refusal.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding is not taken");
        }
        if (!isApplication(request.getContentType(), subtype)) {
            throw Refusal.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/" + subtype + " in UTF-8");
        }
    }

    private static boolean isApplication(@Nullable String contentType, String subtype) {
        if (contentType == null) {
            return false;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            return type.getType().equals("application")
                    && type.getSubtype().equals(subtype)
                    && (type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** The declared length may be missing or a lie, so the bytes are counted. */
    private byte[] bytesOf(HttpServletRequest request) {
        try {
            InputStream body = request.getInputStream();
            byte[] bytes = body.readNBytes(bytesMax + 1);
            if (bytes.length > bytesMax) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException e) {
            throw Refusal.badPayload("", "the body ended early or its transfer coding is broken");
        }
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refusal.badPayload("", "the body is not UTF-8");
        }
    }

    private ObjectNode objectOf(String text) {
        try {
            JsonNode node = mapper.readTree(text);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw Refusal.badPayload("", "the body must be one JSON object");
        } catch (StreamConstraintsException e) {
            throw Refusal.badPayload(
                    "",
                    "the JSON nests deeper than " + DEPTH_MAX + " levels, or a name or number is too long"
                            + placeOf(e));
        } catch (JacksonException e) {
            // The parser's own message may quote the body.
            String message = e.getOriginalMessage();
            boolean twice = message != null && message.startsWith("Duplicate");
            throw Refusal.badPayload("", (twice ? "a member appears twice" : "not valid JSON") + placeOf(e));
        }
    }

    private static String placeOf(JacksonException e) {
        return e.getLocation() == null
                ? ""
                : ", line " + e.getLocation().getLineNr() + " column "
                        + e.getLocation().getColumnNr();
    }

    private Refusal tooLarge() {
        return Refusal.of(ErrorCode.PAYLOAD_TOO_LARGE, "the body is larger than " + bytesMax + " bytes")
                .with("limit_bytes", bytesMax);
    }
}
