package dev.postonce.ingest.web;

import dev.postonce.contract.Digests;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/**
 * The value of an {@code Idempotency-Key} header: a structured-field string, or the same bare, as many clients send
 * it. Both spellings are one key. The key is kept as a digest, with its first characters for people.
 */
public record IdempotencyKey(String value) {

    public static final String HEADER = "Idempotency-Key";
    public static final int CHARACTERS_MAX = 128;
    private static final int PREFIX_CHARACTERS = 12;

    /** Null without the header. */
    public static @Nullable IdempotencyKey of(HttpServletRequest request) {
        List<String> values = Collections.list(request.getHeaders(HEADER));
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            throw refusal("appears more than once");
        }
        return parse(values.get(0));
    }

    public static IdempotencyKey parse(String header) {
        String text = header.strip();
        String value = text.startsWith("\"") ? unquoted(text) : bare(text);
        if (value.isEmpty() || value.length() > CHARACTERS_MAX) {
            throw refusal("must have 1 to " + CHARACTERS_MAX + " characters");
        }
        return new IdempotencyKey(value);
    }

    /** A key as a decoded path segment: the value itself, without quotes and escapes. */
    public static IdempotencyKey ofPath(String value) {
        return ofField("path", value);
    }

    /** A key that stands anywhere but in its header: the value itself. */
    public static IdempotencyKey ofField(String pointer, String value) {
        boolean printable = value.chars().allMatch(character -> character >= 0x20 && character <= 0x7e);
        if (!printable || value.isEmpty() || value.length() > CHARACTERS_MAX) {
            throw Refusal.badPayload(
                    pointer,
                    "a key has 1 to " + CHARACTERS_MAX + " printable ASCII characters; write it without quotes");
        }
        return new IdempotencyKey(value);
    }

    private static String unquoted(String text) {
        StringBuilder value = new StringBuilder();
        for (int i = 1; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"') {
                if (i != text.length() - 1) {
                    throw refusal("has something behind the closing quote");
                }
                return value.toString();
            }
            if (character == '\\') {
                i++;
                if (i == text.length() || (text.charAt(i) != '"' && text.charAt(i) != '\\')) {
                    throw refusal("has an escape other than \\\" and \\\\");
                }
                character = text.charAt(i);
            }
            if (character < 0x20 || character > 0x7e) {
                throw refusal("must be printable ASCII");
            }
            value.append(character);
        }
        throw refusal("has no closing quote");
    }

    private static String bare(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character < 0x21 || character > 0x7e || "\",;\\".indexOf(character) >= 0) {
                throw refusal("must be a quoted string, or printable ASCII without blanks, quotes, commas, semicolons");
            }
        }
        return text;
    }

    private static Refusal refusal(String detail) {
        return Refusal.badPayload("header:" + HEADER, detail);
    }

    public String digest() {
        return Digests.sha256Hex(value);
    }

    public String prefix() {
        return value.substring(0, Math.min(PREFIX_CHARACTERS, value.length()));
    }

    /** As a path segment of {@code /v1/requests}. */
    String pathSegment() {
        return UriUtils.encodePathSegment(value, StandardCharsets.UTF_8);
    }

    /** Logs see the prefix only. */
    @Override
    public String toString() {
        return prefix() + "…";
    }
}
