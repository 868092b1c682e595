package dev.postonce.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error answer: a problem document (RFC 9457), or what can be told of an answer that is none, as a proxy gives.
 *
 * @param errorCode such as {@code bad_payload}; {@code http_502} where the answer names none
 * @param retryable what the service says of trying the same again; null where it says nothing
 * @param fields one line for each field that is at fault
 */
public record Problem(
        int status,
        String errorCode,
        String detail,
        @Nullable Boolean retryable,
        @Nullable String requestId,
        List<String> fields) {

    private static final int DETAIL_CHARACTERS_MAX = 500;
    private static final int FIELDS_MAX = 50;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    public Problem {
        fields = List.copyOf(fields);
    }

    static Problem of(int status, String body) {
        JsonNode json;
        try {
            json = MAPPER.readTree(body);
        } catch (JacksonException e) {
            json = MAPPER.nullNode();
        }
        if (!json.isObject()) {
            return new Problem(status, "http_" + status, cut(body.strip()), null, null, List.of());
        }
        String detail = json.path("detail").asString(json.path("title").asString(""));
        return new Problem(
                status,
                json.path("error_code").asString("http_" + status),
                cut(detail),
                json.path("retryable").isBoolean() ? json.path("retryable").booleanValue() : null,
                json.path("request_id").isString() ? json.path("request_id").stringValue() : null,
                fields(json.path("errors")));
    }

    /** In one line, for a person. */
    public String describe() {
        String told = detail.isEmpty() ? "" : ": " + detail;
        // Of a single field the detail speaks already.
        String at = fields.size() < 2 ? "" : " (" + String.join("; ", fields) + ")";
        return status + " " + errorCode + told + at;
    }

    private static List<String> fields(JsonNode errors) {
        List<String> lines = new ArrayList<>();
        for (JsonNode error : errors) {
            if (lines.size() == FIELDS_MAX) {
                break;
            }
            String pointer = error.path("pointer").asString("");
            String told = error.path("detail").asString(error.path("message").asString(""));
            lines.add(told.isEmpty() ? pointer : pointer + " " + told);
        }
        return lines;
    }

    private static String cut(String text) {
        return text.length() > DETAIL_CHARACTERS_MAX ? text.substring(0, DETAIL_CHARACTERS_MAX) + "…" : text;
    }
}
