package dev.postonce.ingest.audit;

import dev.postonce.ingest.audit.JdbcAuditTrail.Filter;
import dev.postonce.ingest.audit.JdbcAuditTrail.Row;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Fields;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The audit for a tenant's operators: what was refused, and what they did about it. */
@RestController
public final class AuditController {

    private static final int NOTE_CHARACTERS_MAX = 1_000;
    private static final Set<String> PARAMETERS = Set.of("outcome", "error_code", "open", "limit", "cursor");
    private static final Set<String> OUTCOMES =
            Set.of("created", "updated", "withdrawn", "replay", "conflict", "refused", "failed");
    private static final Pattern CODE = Pattern.compile("[a-z_]{1,64}");
    private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,17}");

    private final JdbcAuditTrail trail;
    private final JdbcAudit audit;
    private final TransactionTemplate transactions;
    private final JsonBody bodies;
    private final InstantSource clock;

    AuditController(
            JdbcAuditTrail trail,
            JdbcAudit audit,
            TransactionTemplate transactions,
            JsonBody bodies,
            InstantSource clock) {
        this.trail = trail;
        this.audit = audit;
        this.transactions = transactions;
        this.bodies = bodies;
        this.clock = clock;
    }

    @GetMapping("/v1/audit")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/audit");
        Principal caller = exchange.caller(Scope.READ);
        Map<String, String> query = Queries.of(request, PARAMETERS);
        int limit = Queries.limit(query);
        List<Row> rows = trail.page(caller.tenantId(), filterOf(query), Queries.before(query), limit);
        ObjectNode body = Answers.begin(exchange);
        ArrayNode list = body.putArray("entries");
        rows.forEach(row -> show(row, list.addObject()));
        body.put(
                "next_cursor",
                rows.size() == limit ? Long.toString(rows.get(limit - 1).entry().id()) : null);
        return Answers.ok(body);
    }

    private static Filter filterOf(Map<String, String> query) {
        @Nullable String outcome = query.get("outcome");
        if (outcome != null && !OUTCOMES.contains(outcome)) {
            throw Refusal.badPayload("query:outcome", "must be one of the outcomes of an audit row");
        }
        @Nullable String code = query.get("error_code");
        if (code != null && !CODE.matcher(code).matches()) {
            throw Refusal.badPayload("query:error_code", "must be an error_code");
        }
        @Nullable String open = query.get("open");
        if (open != null && !open.equals("true") && !open.equals("false")) {
            throw Refusal.badPayload("query:open", "must be true or false");
        }
        return new Filter(outcome, code, "true".equals(open));
    }

    /** The first note counts; a second one is a replay, and the answer shows the first. */
    @PostMapping("/v1/audit/{id}:resolve")
    ResponseEntity<byte[]> resolve(HttpServletRequest request, @PathVariable String id) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/audit/{id}:resolve");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Parsed parsed = bodies.read(request);
        Fields fields = new Fields(parsed.json(), Set.of("note"));
        fields.require("note");
        @Nullable String note = fields.lines("note", NOTE_CHARACTERS_MAX);
        fields.refuseIfWrong();
        exchange.brings(null, parsed.digest(request));
        long number = ID.matcher(id).matches() ? Long.parseLong(id) : -1;
        boolean first = !dryRun && follow(exchange, caller, number, Objects.requireNonNullElse(note, ""));
        Row row = trail.one(caller.tenantId(), number)
                .orElseThrow(() -> Refusal.of(ErrorCode.NOT_FOUND, "there is no audit entry with this id"));
        ObjectNode body = Answers.begin(exchange)
                .put("dry_run", dryRun)
                .put("idempotent_replay", dryRun ? row.note() != null : !first);
        show(row, body.putObject("entry"));
        return Answers.ok(body);
    }

    private boolean follow(Exchange exchange, Principal caller, long id, String note) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return Boolean.TRUE.equals(transactions.execute(status -> {
            boolean first = trail.followUp(caller, id, note, now);
            if (!first && trail.one(caller.tenantId(), id).isEmpty()) {
                return false;
            }
            Outcome outcome = first ? Outcome.UPDATED : Outcome.REPLAY;
            exchange.ends(outcome);
            audit.write(new AuditRow(exchange, now, outcome, 200, null, null, "{\"audit_id\":" + id + "}"));
            return first;
        }));
    }

    private static void show(Row row, ObjectNode node) {
        AuditEntry entry = row.entry();
        node.put("id", entry.id())
                .put("at", entry.at().toString())
                .put("outcome", entry.outcome())
                .put("status_code", entry.statusCode())
                .put("error_code", entry.errorCode())
                .put("route", entry.route())
                .put("request_id", entry.requestId())
                .put("client_id", entry.clientId())
                .put("key_id", entry.keyId())
                .put("external_id", row.externalId())
                .put("group", row.groupRef())
                .put("version", entry.version())
                .put("idempotency_key_prefix", entry.idempotencyKeyPrefix())
                .put("payload_digest", row.payloadDigest());
        node.set(
                "detail",
                entry.detail() == null
                        ? Answers.mapper().nullNode()
                        : Answers.mapper().readTree(entry.detail()));
        if (row.note() == null) {
            node.putNull("follow_up");
        } else {
            node.putObject("follow_up")
                    .put("note", row.note())
                    .put("at", row.notedAt() == null ? null : row.notedAt().toString())
                    .put("client_id", row.notedBy());
        }
    }
}
