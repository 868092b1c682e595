package dev.postonce.ingest.tenant;

import dev.postonce.ingest.tenant.JdbcKeys.Listed;
import dev.postonce.ingest.tenant.KeyAdmin.Issued;
import dev.postonce.ingest.tenant.KeyAdmin.Revoked;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
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

/** API keys over HTTP, for a tenant's operators. A key is shown in the answer that makes it, and never again. */
@RestController
final class KeyController {

    private static final Pattern KEY_ID = Pattern.compile("[a-z0-9]{4,24}");

    private final KeyAdmin admin;
    private final JsonBody bodies;

    KeyController(KeyAdmin admin, JsonBody bodies) {
        this.admin = admin;
        this.bodies = bodies;
    }

    @GetMapping("/v1/keys")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/keys");
        Principal caller = exchange.caller(Scope.OPS);
        Queries.of(request, Set.of());
        ObjectNode body = Answers.begin(exchange);
        ArrayNode keys = body.putArray("keys");
        admin.list(caller).forEach(key -> put(keys.addObject(), key));
        return Answers.ok(body);
    }

    @PostMapping("/v1/keys")
    ResponseEntity<byte[]> create(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/keys");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Parsed parsed = bodies.read(request);
        KeyRequest wanted = KeyRequest.of(parsed.json());
        exchange.brings(null, parsed.digest(request));
        return issued(exchange, admin.create(exchange, caller, wanted, dryRun), null);
    }

    @PostMapping("/v1/keys/{keyId}:rotate")
    ResponseEntity<byte[]> rotate(HttpServletRequest request, @PathVariable String keyId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/keys/{key_id}:rotate");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        return issued(exchange, admin.rotate(exchange, caller, checked(keyId), dryRun), keyId);
    }

    @PostMapping("/v1/keys/{keyId}:revoke")
    ResponseEntity<byte[]> revoke(HttpServletRequest request, @PathVariable String keyId) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("POST /v1/keys/{key_id}:revoke");
        Principal caller = exchange.caller(Scope.OPS);
        boolean dryRun = Queries.dryRun(request);
        Revoked revoked = admin.revoke(exchange, caller, checked(keyId), dryRun);
        ObjectNode body = Answers.begin(exchange).put("dry_run", dryRun).put("idempotent_replay", revoked.before());
        put(body.putObject("key"), revoked.key());
        return Answers.ok(body);
    }

    private static String checked(String keyId) {
        if (!KEY_ID.matcher(keyId).matches()) {
            throw Refusal.of(ErrorCode.NOT_FOUND, "there is no key with this id");
        }
        return keyId;
    }

    private static ResponseEntity<byte[]> issued(Exchange exchange, Issued issued, @Nullable String rotates) {
        boolean dryRun = issued.token() == null;
        ObjectNode body = Answers.begin(exchange).put("dry_run", dryRun);
        if (issued.stored() != null) {
            put(body.putObject("key"), issued.stored());
        } else {
            ObjectNode key = body.putObject("key").put("client_id", issued.clientId());
            issued.scopes().forEach(key.putArray("scopes")::add);
        }
        if (rotates != null) {
            body.put("rotates", rotates);
        }
        if (issued.token() != null) {
            Answers.reveal(
                    body,
                    "api_key",
                    issued.token().reveal(),
                    rotates == null
                            ? "The key is shown this once. Keep it now; a lost one is revoked and made anew."
                            : "The key is shown this once. Give it to the client, then revoke '" + rotates + "'.");
        } else {
            exchange.ends(Outcome.READ);
        }
        return Answers.unkept(dryRun ? 200 : 201, body);
    }

    private static void put(ObjectNode node, Listed listed) {
        StoredKey key = listed.key();
        node.put("key_id", key.keyId())
                .put("client_id", key.clientId())
                .put("state", key.deleted() ? "revoked" : "active");
        key.scopes().forEach(node.putArray("scopes")::add);
        node.put("rate_per_second", key.ratePerSecond())
                .put("created_at", listed.createdAt().toString())
                .put(
                        "last_used_at",
                        listed.lastUsedAt() == null ? null : listed.lastUsedAt().toString())
                .put(
                        "revoked_at",
                        listed.revokedAt() == null ? null : listed.revokedAt().toString());
    }
}
