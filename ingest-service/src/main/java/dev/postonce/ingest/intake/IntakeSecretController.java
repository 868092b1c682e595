package dev.postonce.ingest.intake;

import dev.postonce.ingest.intake.IntakeSecretAdmin.Issued;
import dev.postonce.ingest.intake.IntakeSecretAdmin.Revoked;
import dev.postonce.ingest.intake.JdbcIntakeSecrets.Listed;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Fields;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Queries;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The secrets that sign records of the intake topic, over HTTP, for a tenant's operators. One is shown in the answer
 * that makes it, and never again.
 */
@RestController
final class IntakeSecretController {

    private static final Pattern CLIENT = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");

    private final IntakeSecretAdmin admin;
    private final JsonBody bodies;

    IntakeSecretController(IntakeSecretAdmin admin, JsonBody bodies) {
        this.admin = admin;
        this.bodies = bodies;
    }

    @GetMapping("/v1/intake-secrets")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/intake-secrets");
        Principal caller = exchange.caller(Scope.OPS);
        Queries.of(request, Set.of());
        ObjectNode body = Answers.begin(exchange);
        ArrayNode secrets = body.putArray("secrets");
        admin.list(caller).forEach(secret -> put(secrets.addObject(), secret));
        return Answers.ok(body);
    }

    @PostMapping("/v1/intake-secrets")
    ResponseEntity<byte[]> create(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/intake-secrets");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Parsed parsed = bodies.read(request);
        Fields fields = new Fields(parsed.json(), Set.of("client_id"));
        fields.require("client_id");
        @Nullable
        String given =
                fields.matching("client_id", CLIENT, "1 to 64 of a-z 0-9 . _ -, beginning with a letter or digit");
        fields.refuseIfWrong();
        exchange.brings(null, parsed.digest(request));
        String clientId = Objects.requireNonNull(given, "required above");
        Issued issued = admin.create(exchange, caller, clientId, dryRun);

        ObjectNode body = Answers.begin(exchange).put("dry_run", dryRun);
        ObjectNode secret = body.putObject("secret").put("client_id", clientId);
        if (issued.secret() == null) {
            exchange.ends(Outcome.READ);
        } else {
            secret.put("key_id", issued.keyId()).put("state", "active");
            Answers.reveal(
                    body,
                    "intake_secret",
                    issued.secret().reveal(),
                    "The secret is shown this once. Give it with its key_id to the client; where it takes another's"
                            + " place, revoke that one afterwards.");
        }
        return Answers.unkept(dryRun ? 200 : 201, body);
    }

    @PostMapping("/v1/intake-secrets/{keyId}:revoke")
    ResponseEntity<byte[]> revoke(HttpServletRequest request, @PathVariable String keyId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/intake-secrets/{key_id}:revoke");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Revoked revoked = admin.revoke(exchange, caller, keyId, dryRun);
        ObjectNode body = Answers.begin(exchange).put("dry_run", dryRun).put("idempotent_replay", revoked.before());
        put(body.putObject("secret"), revoked.secret());
        return Answers.ok(body);
    }

    private static void put(ObjectNode node, Listed secret) {
        node.put("key_id", secret.keyId())
                .put("client_id", secret.clientId())
                .put("state", secret.revokedAt() == null ? "active" : "revoked")
                .put("created_at", secret.createdAt().toString())
                .put(
                        "revoked_at",
                        secret.revokedAt() == null ? null : secret.revokedAt().toString());
    }
}
