package dev.postonce.ingest.request;

import dev.postonce.ingest.request.JdbcRequests.Remembered;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells a client what became of a request whose answer it lost. */
@RestController
public final class RequestController {

    private static final String ROUTE = "GET /v1/requests/{key}";

    private final JdbcRequests requests;
    private final InstantSource clock;

    public RequestController(JdbcRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    @GetMapping("/v1/requests/{key}")
    ResponseEntity<byte[]> byKey(HttpServletRequest request, @PathVariable String key) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(ROUTE);
        // Whoever may write may learn what became of it.
        Principal caller = exchange.caller(Scope.SUBMIT);
        IdempotencyKey parsed = IdempotencyKey.ofPath(key);
        List<Remembered> uses = requests.byKey(caller.tenantId(), caller.clientId(), parsed.digest(), clock.instant());
        if (uses.isEmpty()) {
            throw Refusal.of(
                    ErrorCode.NOT_FOUND,
                    "this client used no such Idempotency-Key, its request stored nothing, or the key expired");
        }
        ObjectNode body = Answers.begin(exchange).put("idempotency_key_prefix", parsed.prefix());
        ArrayNode list = body.putArray("requests");
        uses.forEach(use -> show(use, list.addObject()));
        return Answers.ok(body);
    }

    private static void show(Remembered use, ObjectNode entry) {
        entry.put("route", use.route())
                .put("state", use.state())
                .put("outcome", use.outcome())
                .put("status_code", use.statusCode())
                .put("id", use.resourceId().toString());
        if (use.resourceKind().equals("task")) {
            entry.put("external_id", use.resourceRef()).put("location", "/v1/tasks/" + use.resourceRef());
        } else {
            entry.put("group", use.resourceRef()).put("location", "/v1/groups/" + use.resourceId());
        }
        entry.put("created_at", use.createdAt().toString())
                .put("expires_at", use.expiresAt().toString());
    }
}
