package dev.postonce.ingest.task;

import dev.postonce.ingest.audit.AuditEntry;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.task.TaskFilter.Position;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.Queries;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tasks over HTTP. */
@RestController
public final class TaskController {

    private static final Set<String> AUDIT_PARAMETERS = Set.of("cursor", "limit");

    private final TaskCommands commands;
    private final JdbcTaskReads reads;
    private final JdbcAudit audit;
    private final JsonBody bodies;

    public TaskController(TaskCommands commands, JdbcTaskReads reads, JdbcAudit audit, JsonBody bodies) {
        this.commands = commands;
        this.reads = reads;
        this.audit = audit;
        this.bodies = bodies;
    }

    @PostMapping("/v1/tasks")
    ResponseEntity<byte[]> submit(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(TaskIntake.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        return Answers.of(commands.submit(Command.of(request, exchange, caller, bodies.read(request))));
    }

    @PutMapping("/v1/tasks/{externalId}")
    ResponseEntity<byte[]> update(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(TaskUpdates.ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Command command = Command.of(request, exchange, caller, bodies.read(request));
        return Answers.of(commands.update(command, externalId));
    }

    @PostMapping("/v1/tasks/{externalId}/withdraw")
    ResponseEntity<byte[]> withdraw(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(TaskWithdrawals.WITHDRAW);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Command command = Command.of(request, exchange, caller, bodies.read(request));
        return Answers.of(commands.withdraw(command, externalId));
    }

    /** The body, with a reason, may be left out. */
    @PostMapping("/v1/tasks/{externalId}/restore")
    ResponseEntity<byte[]> restore(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters(TaskWithdrawals.RESTORE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        Command command = Command.of(request, exchange, caller, bodies.readIfAny(request));
        return Answers.of(commands.restore(command, externalId));
    }

    @GetMapping("/v1/tasks/{externalId}")
    ResponseEntity<byte[]> one(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/tasks/{external_id}");
        JdbcTaskReads.Whole whole = find(exchange, externalId);
        return Answers.of(200, TaskView.whole(exchange, whole), etag(whole.task()));
    }

    @GetMapping("/v1/tasks")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/tasks");
        Principal caller = exchange.caller(Scope.READ);
        Map<String, String> query = Queries.of(request, TaskFilter.PARAMETERS);
        int limit = Queries.limit(query);
        List<KnownTask> page = reads.page(caller.tenantId(), TaskFilter.of(query), limit);
        ObjectNode body = Answers.begin(exchange);
        ArrayNode tasks = body.putArray("tasks");
        page.forEach(task -> TaskView.putListed(tasks.addObject(), task));
        if (page.size() == limit) {
            KnownTask last = page.get(limit - 1);
            body.put("next_cursor", new Position(last.updatedAt(), last.externalId()).cursor());
        } else {
            body.putNull("next_cursor");
        }
        return Answers.ok(body);
    }

    @GetMapping("/v1/tasks/{externalId}/audit")
    ResponseEntity<byte[]> trail(HttpServletRequest request, @PathVariable String externalId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/tasks/{external_id}/audit");
        KnownTask task = find(exchange, externalId).task();
        Map<String, String> query = Queries.of(request, AUDIT_PARAMETERS);
        int limit = Queries.limit(query);
        List<AuditEntry> entries =
                audit.ofTask(exchange.caller(Scope.READ).tenantId(), task.externalId(), Queries.before(query), limit);
        ObjectNode body = Answers.begin(exchange).put("external_id", task.externalId());
        ArrayNode list = body.putArray("entries");
        entries.forEach(entry -> show(entry, list.addObject()));
        if (entries.size() == limit) {
            body.put("next_cursor", Long.toString(entries.get(limit - 1).id()));
        } else {
            body.putNull("next_cursor");
        }
        return Answers.ok(body);
    }

    private JdbcTaskReads.Whole find(Exchange exchange, String externalId) {
        Principal caller = exchange.caller(Scope.READ);
        if (!ExternalIds.FORM.matcher(externalId).matches()) {
            throw UpdateRules.unknown();
        }
        exchange.concernsTask(externalId, null, null);
        return reads.one(caller.tenantId(), externalId).orElseThrow(UpdateRules::unknown);
    }

    private static void show(AuditEntry entry, ObjectNode node) {
        node.put("at", entry.at().toString())
                .put("outcome", entry.outcome())
                .put("status_code", entry.statusCode())
                .put("error_code", entry.errorCode())
                .put("version", entry.version())
                .put("route", entry.route())
                .put("request_id", entry.requestId())
                .put("client_id", entry.clientId())
                .put("key_id", entry.keyId())
                .put("idempotency_key_prefix", entry.idempotencyKeyPrefix());
        JsonNode detail = entry.detail() == null
                ? Answers.mapper().nullNode()
                : Answers.mapper().readTree(entry.detail());
        node.set("detail", detail);
    }

    private static HttpHeaders etag(KnownTask task) {
        HttpHeaders headers = new HttpHeaders();
        headers.setETag("\"" + task.version() + "\"");
        return headers;
    }
}
