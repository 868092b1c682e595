package dev.postonce.sandbox.http;

import dev.postonce.sandbox.journal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What a stand-in answers. Immutable. */
public final class Answer {

    /** Writes a body of any length, piece by piece. */
    @FunctionalInterface
    public interface BodyWriter {
        void writeTo(OutputStream out) throws IOException;
    }

    private final int status;
    private final Map<String, String> headers;
    private final BodyWriter body;
    private final long bodyBytes;

    private Answer(int status, Map<String, String> headers, BodyWriter body, long bodyBytes) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.bodyBytes = bodyBytes;
    }

    public static Answer json(int status, JsonNode node) {
        return of(status, "application/json; charset=UTF-8", Json.bytes(node));
    }

    public static Answer text(int status, String contentType, String text) {
        return of(status, contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer empty(int status) {
        return new Answer(status, Map.of(), out -> {}, -1);
    }

    /** A JSON body that is too long to be built in memory. */
    public static Answer streamedJson(BodyWriter body) {
        return new Answer(200, Map.of("Content-Type", "application/json; charset=UTF-8"), body, 0);
    }

    private static Answer of(int status, String contentType, byte[] bytes) {
        return new Answer(
                status,
                Map.of("Content-Type", contentType),
                out -> out.write(bytes),
                bytes.length == 0 ? -1 : bytes.length);
    }

    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, more, body, bodyBytes);
    }

    public int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    BodyWriter body() {
        return body;
    }

    /** As the JDK's server counts: -1 = no body, 0 = not known beforehand. */
    long bodyBytes() {
        return bodyBytes;
    }
}
