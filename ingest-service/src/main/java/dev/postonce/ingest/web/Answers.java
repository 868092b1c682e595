package dev.postonce.ingest.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON bodies as bytes: no negotiation, one form. */
public final class Answers {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private Answers() {}

    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** An object that begins as every answer does. */
    public static ObjectNode begin(Exchange exchange) {
        return MAPPER.createObjectNode().put("ok", true).put("request_id", exchange.requestId());
    }

    public static ResponseEntity<byte[]> of(int status, ObjectNode body, HttpHeaders headers) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_JSON)
                .body(bytes(body));
    }

    public static ResponseEntity<byte[]> of(Reply reply) {
        HttpHeaders headers = new HttpHeaders();
        headers.setETag("\"" + reply.version() + "\"");
        if (reply.location() != null) {
            headers.setLocation(URI.create(reply.location()));
        }
        return of(reply.status(), reply.body(), headers);
    }

    public static ResponseEntity<byte[]> ok(ObjectNode body) {
        return of(200, body, new HttpHeaders());
    }

    /** Shows a secret, this once, and says what to do with it. */
    public static void reveal(ObjectNode body, String field, String secret, String next) {
        body.put(field, secret).put("next", next);
    }

    /** An answer that may show a secret: nothing on its way may keep it. */
    public static ResponseEntity<byte[]> unkept(int status, ObjectNode body) {
        HttpHeaders headers = new HttpHeaders();
        headers.setCacheControl("no-store");
        return of(status, body, headers);
    }

    /** By way of a string, whose conversion to bytes never fails, whatever an upstream sent. */
    public static byte[] bytes(ObjectNode body) {
        return MAPPER.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
    }
}
