package dev.postonce.ingest.callback;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.callback.JdbcCallbackSecrets.Signing;
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
import dev.postonce.runtime.Secret;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The secret that signs a tenant's callbacks. It is shown in the answer that makes it, and never again. */
@RestController
final class CallbackSecretController {

    private static final int SECRET_BYTES = 32;
    private static final int KEEP_OLD_S = 86_400;
    private static final int KEEP_OLD_S_MAX = 30 * 86_400;

    /** What a change needs; one database, one transaction manager. */
    record Tools(JdbcCallbackSecrets secrets, JdbcAudit audit, TransactionTemplate transactions, InstantSource clock) {}

    private final Tools tools;
    private final JsonBody bodies;
    private final RandomGenerator random;

    /** @param random a cryptographically strong source */
    CallbackSecretController(Tools tools, JsonBody bodies, RandomGenerator random) {
        this.tools = tools;
        this.bodies = bodies;
        this.random = random;
    }

    @GetMapping("/v1/keys/callback-secret")
    ResponseEntity<byte[]> state(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/keys/callback-secret");
        Principal caller = exchange.caller(Scope.OPS);
        Queries.of(request, Set.of());
        ObjectNode body = Answers.begin(exchange);
        put(body, tools.secrets().signing(caller.tenantId()));
        return Answers.ok(body);
    }

    @PostMapping("/v1/keys/callback-secret:rotate")
    ResponseEntity<byte[]> rotate(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/keys/callback-secret:rotate");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Parsed parsed = bodies.read(request);
        Fields fields = new Fields(parsed.json(), Set.of("keep_old_s"));
        @Nullable Integer given = fields.wholeNumber("keep_old_s", 0, KEEP_OLD_S_MAX);
        fields.refuseIfWrong();
        exchange.brings(null, parsed.digest(request));
        if (!tools.secrets().canKeep()) {
            throw Refusal.of(
                    ErrorCode.KEY_CONFLICT,
                    "this service keeps no secrets: its administrator sets POSTONCE_SECRETS_KEY");
        }
        ObjectNode body = Answers.begin(exchange).put("dry_run", dryRun);
        if (!dryRun) {
            int keepOldS = given == null ? KEEP_OLD_S : given;
            Secret secret = newSecret();
            tools.transactions().executeWithoutResult(status -> change(exchange, caller, secret, keepOldS));
            Answers.reveal(
                    body,
                    "callback_secret",
                    secret.reveal(),
                    "The secret is shown this once. Let the receiver accept it beside the old one, which signs too until"
                            + " 'signs_until'.");
        }
        put(body, tools.secrets().signing(caller.tenantId()));
        return Answers.unkept(200, body);
    }

    private void change(Exchange exchange, Principal caller, Secret secret, int keepOldS) {
        tools.secrets().set(caller.tenantId(), secret, Duration.ofSeconds(keepOldS));
        exchange.ends(Outcome.UPDATED);
        String detail = "{\"secret\":\"callback\",\"keep_old_s\":" + keepOldS + "}";
        tools.audit().write(new AuditRow(exchange, tools.clock().instant(), Outcome.UPDATED, 200, null, null, detail));
    }

    private Secret newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Secret.of("whsec_" + Base64.getEncoder().encodeToString(bytes));
    }

    private static void put(ObjectNode body, List<Signing> signing) {
        ArrayNode secrets = body.putArray("secrets");
        signing.forEach(one -> secrets.addObject()
                .put("state", one.signsUntil() == null ? "present" : "old")
                .put(
                        "signs_until",
                        one.signsUntil() == null ? null : one.signsUntil().toString()));
    }
}
