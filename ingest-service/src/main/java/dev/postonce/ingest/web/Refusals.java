package dev.postonce.ingest.web;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.tenant.Principal;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns whatever ended a request into a problem document (RFC 9457), and leaves its audit row. */
public final class Refusals {

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
    private static final String PROBLEM = "application/problem+json";
    private static final int STRANGERS_AUDITED_A_SECOND_MAX = 20;

    private final JdbcAudit audit;
    private final JdbcAudit strangersAudit;
    private final IntakeMetrics metrics;
    private final InstantSource clock;
    private final RateGate strangers = new RateGate(STRANGERS_AUDITED_A_SECOND_MAX);

    /** @param strangersAudit writes the rows of those who belong to no tenant */
    public Refusals(JdbcAudit audit, JdbcAudit strangersAudit, IntakeMetrics metrics, InstantSource clock) {
        this.audit = audit;
        this.strangersAudit = strangersAudit;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * A problem document and what it stands for.
     *
     * @param retryAfterSeconds where the code is retryable
     */
    public record Problem(ErrorCode code, ObjectNode body, long retryAfterSeconds) {}

    /** Ends the exchange with a problem: counted, with its audit row, ready to be sent over whatever face. */
    public Problem refuse(Exchange exchange, Throwable error) {
        Refusal refusal = refusalOf(exchange, error);
        exchange.isRefused(refusal.code());
        metrics.refused(refusal.code());
        leaveAuditRow(exchange, refusal);
        return new Problem(refusal.code(), problem(exchange, refusal), refusal.retryAfterSeconds());
    }

    /** What {@link #refuse} would tell, without telling it: nothing is counted and no row is left. */
    public ErrorCode codeOf(Exchange exchange, Throwable error) {
        return refusalOf(exchange, error).code();
    }

    ResponseEntity<byte[]> answer(Exchange exchange, Throwable error) {
        Problem problem = refuse(exchange, error);
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.parseMediaType(PROBLEM));
        if (problem.code().retryable()) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(problem.retryAfterSeconds()));
        }
        if (problem.code() == ErrorCode.UNAUTHORIZED) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return ResponseEntity.status(problem.code().status()).headers(headers).body(Answers.bytes(problem.body()));
    }

    private static Refusal refusalOf(Exchange exchange, Throwable error) {
        if (error instanceof Refusal refusal) {
            return refusal;
        }
        boolean storage = error instanceof DataAccessException || error instanceof TransactionException;
        if (storage && StorageErrors.isClaimWait(error)) {
            return Refusal.of(
                            ErrorCode.REQUEST_IN_PROGRESS,
                            "another request holds this Idempotency-Key or resource, and has not ended yet")
                    .with("links", whereToLook(exchange));
        }
        if (storage && StorageErrors.isPassing(error)) {
            // The cause's text may hold what was sent; its type is enough here, the database has its own log.
            LOG.warn("storage failed for request {}: {}", exchange.requestId(), chainOf(error));
            return Refusal.of(
                    ErrorCode.STORAGE_FAILED,
                    "the database did not answer in time; whether the request was stored is not known");
        }
        LOG.error("request {} failed: {}", exchange.requestId(), chainOf(error), withoutMessages(error));
        return Refusal.of(ErrorCode.INTERNAL_ERROR, "an unexpected error; it is in the log under the request_id");
    }

    private static Map<String, String> whereToLook(Exchange exchange) {
        Map<String, String> links = new LinkedHashMap<>();
        @Nullable IdempotencyKey key = exchange.idempotencyKey();
        if (key != null) {
            links.put("request", "/v1/requests/" + key.pathSegment());
        }
        if (exchange.externalId() != null) {
            links.put("task", "/v1/tasks/" + exchange.externalId());
        }
        return links;
    }

    private static String chainOf(Throwable error) {
        StringBuilder chain = new StringBuilder(error.getClass().getSimpleName());
        for (@Nullable Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            chain.append(" < ").append(cause.getClass().getSimpleName());
        }
        return chain.toString();
    }

    /** Where it happened, without messages, which may quote what an upstream sent. */
    private static Throwable withoutMessages(Throwable error) {
        @Nullable Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        Throwable trace = new IllegalStateException(error.getClass().getName());
        trace.setStackTrace(root.getStackTrace());
        return trace;
    }

    private static ObjectNode problem(Exchange exchange, Refusal refusal) {
        ErrorCode code = refusal.code();
        ObjectNode body = Answers.mapper()
                .createObjectNode()
                .put("ok", false)
                .put("type", "urn:postonce:problem:" + code.wireName())
                .put("title", code.title())
                .put("title_zh", code.titleZh())
                .put("status", code.status())
                .put("detail", refusal.detail())
                .put("error_code", code.wireName())
                .put("retryable", code.retryable())
                .put("next", code.next())
                .put("request_id", exchange.requestId());
        if (exchange.externalId() != null) {
            body.put("external_id", exchange.externalId());
        }
        if (!refusal.errors().isEmpty()) {
            ArrayNode errors = body.putArray("errors");
            refusal.errors()
                    .forEach(error ->
                            errors.addObject().put("pointer", error.pointer()).put("detail", error.detail()));
        }
        refusal.members()
                .forEach((name, value) -> body.set(name, Answers.mapper().valueToTree(value)));
        return body;
    }

    private void leaveAuditRow(Exchange exchange, Refusal refusal) {
        ErrorCode code = refusal.code();
        boolean atTheDoor =
                code == ErrorCode.UNAUTHORIZED || code == ErrorCode.FORBIDDEN || code == ErrorCode.RATE_LIMITED;
        if (code == ErrorCode.STORAGE_FAILED || !(exchange.writes() || atTheDoor) || !exchange.isAudited()) {
            return;
        }
        // A flood of strangers must not fill the table; all of them are counted and logged.
        if (exchange.principal() == null && !strangers.admits(clock.instant())) {
            return;
        }
        AuditRow row = new AuditRow(
                exchange,
                clock.instant(),
                java.util.Objects.requireNonNullElse(exchange.outcome(), Outcome.REFUSED),
                code.status(),
                code.wireName(),
                null,
                pointersOf(refusal));
        try {
            write(row, exchange.principal());
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("no audit row for the refused request {}: {}", exchange.requestId(), chainOf(e));
        }
    }

    private void write(AuditRow row, @Nullable Principal caller) {
        if (caller == null) {
            strangersAudit.write(row);
            return;
        }
        // The refusal may come from a thread, or at a moment, that is in no tenant's scope.
        try (TenantScope scope = TenantScope.enter(caller.tenantId())) {
            audit.write(row);
        }
    }

    private static @Nullable String pointersOf(Refusal refusal) {
        if (refusal.errors().isEmpty()) {
            return null;
        }
        ArrayNode pointers = Answers.mapper().createArrayNode();
        refusal.errors().forEach(error -> pointers.add(error.pointer()));
        return Answers.mapper().writeValueAsString(pointers);
    }
}
