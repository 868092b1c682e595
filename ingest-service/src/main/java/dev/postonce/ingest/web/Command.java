package dev.postonce.ingest.web;

import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.JsonBody.Parsed;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write, whatever face it came over: a request, a line of a batch, a record of the intake topic. Use cases take it,
 * and know of none of the three.
 *
 * @param ifMatch as it came; null without one
 */
public record Command(Exchange exchange, Principal caller, ObjectNode json, @Nullable String ifMatch) {

    public static Command of(HttpServletRequest request, Exchange exchange, Principal caller, Parsed body) {
        @Nullable String ifMatch = request.getHeader(EntityTag.IF_MATCH);
        exchange.brings(IdempotencyKey.of(request), body.digest(request));
        return new Command(exchange, caller, body.json(), ifMatch);
    }

    /** A write that is {@code POST} to this path over HTTP: a key stands for the same request on either way. */
    public static Command ofPost(
            String path, Exchange exchange, Principal caller, Parsed body, @Nullable IdempotencyKey key) {
        exchange.brings(key, body.digest("POST", path, null));
        return new Command(exchange, caller, body.json(), null);
    }

    /** The same for {@code PUT} to a resource of that version. */
    public static Command ofPut(
            String path,
            Exchange exchange,
            Principal caller,
            Parsed body,
            @Nullable IdempotencyKey key,
            @Nullable String ifMatch) {
        exchange.brings(key, body.digest("PUT", path, ifMatch));
        return new Command(exchange, caller, body.json(), ifMatch);
    }
}
