package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.JdbcCallbackReads.Entry;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Shows an upstream which callbacks of a task it was sent, which wait, and which are parked. */
@RestController
public final class CallbackController {

    private static final Set<String> PARAMETERS = Set.of("limit", "cursor");

    private final JdbcCallbackReads reads;

    public CallbackController(JdbcCallbackReads reads) {
        this.reads = reads;
    }

    @GetMapping("/v1/tasks/{externalId}/callbacks")
    ResponseEntity<byte[]> ofTask(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/tasks/{external_id}/callbacks");
        Principal caller = exchange.caller(Scope.READ);
        Map<String, String> query = Queries.of(request, PARAMETERS);
        int limit = Queries.limit(query);
        List<Entry> entries = reads.page(caller.tenantId(), externalId, Queries.before(query), limit)
                .orElseThrow(() -> Refusal.of(ErrorCode.NOT_FOUND, "there is no task with this external_id"));
        exchange.concernsTask(externalId, null, null);
        ObjectNode body = Answers.begin(exchange).put("external_id", externalId);
        ArrayNode list = body.putArray("callbacks");
        entries.forEach(entry -> show(entry, list.addObject()));
        if (entries.size() == limit) {
            body.put("next_cursor", Long.toString(entries.get(limit - 1).sequence()));
        } else {
            body.putNull("next_cursor");
        }
        return Answers.ok(body);
    }

    private static void show(Entry entry, ObjectNode node) {
        node.put("webhook_id", entry.webhookId())
                .put("sequence", entry.sequence())
                .put("platform", entry.platform())
                .put("status", entry.status())
                .put("state", entry.state())
                .put("attempts", entry.attempts())
                .put("last_outcome", entry.lastOutcome())
                .put("last_status_code", entry.lastStatusCode())
                .put("last_attempt_at", text(entry.lastAttemptAt()))
                .put("next_attempt_at", entry.state().equals("pending") ? text(entry.dueAt()) : null)
                .put("created_at", text(entry.createdAt()))
                .put("settled_at", text(entry.settledAt()));
    }

    private static @Nullable String text(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant().toString();
    }
}
