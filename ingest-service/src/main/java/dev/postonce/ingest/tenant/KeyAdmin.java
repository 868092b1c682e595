package dev.postonce.ingest.tenant;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.tenant.JdbcKeys.Listed;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.ApiKeyToken;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a tenant's operators do with its keys. Each change, its event and its audit row are one transaction; changes
 * take turns, so a client never has more than two keys that work.
 */
final class KeyAdmin {

    private static final int ACTIVE_MAX = 2;
    private static final int KEY_ID_CHARACTERS = 12;
    private static final int BASE = 36;

    /** What the changes are made with; all of it in one database and one transaction manager. */
    record Tools(
            JdbcKeys keys, JdbcTenants tenants, ApiKeys issuer, JdbcAudit audit, TransactionTemplate transactions) {}

    /**
     * A key that was made, or would be.
     *
     * @param token null where it was only tried
     */
    record Issued(String clientId, List<String> scopes, @Nullable ApiKeyToken token, @Nullable Listed stored) {}

    /** @param before whether it was revoked already */
    record Revoked(Listed key, boolean before) {}

    private final Tools tools;
    private final Authenticator authenticator;
    private final InstantSource clock;
    private final RandomGenerator random;

    KeyAdmin(Tools tools, Authenticator authenticator, InstantSource clock, RandomGenerator random) {
        this.tools = tools;
        this.authenticator = authenticator;
        this.clock = clock;
        this.random = random;
    }

    List<Listed> list(Principal caller) {
        return tools.keys().list(caller.tenantId());
    }

    /** @param dryRun whether only to tell what would come of it */
    Issued create(Exchange exchange, Principal caller, KeyRequest request, boolean dryRun) {
        return inTurn(() -> issue(exchange, caller, request, null, dryRun));
    }

    /** Another key for the same client and with the same rights. The one before works until it is revoked. */
    Issued rotate(Exchange exchange, Principal caller, String keyId, boolean dryRun) {
        return inTurn(() -> {
            StoredKey old = find(caller, keyId).key();
            if (old.deleted()) {
                throw Refusal.of(ErrorCode.KEY_CONFLICT, "the key is revoked; create another one for its client");
            }
            KeyRequest same = new KeyRequest(old.clientId(), old.scopes(), old.ratePerSecond());
            return issue(exchange, caller, same, keyId, dryRun);
        });
    }

    private Issued issue(
            Exchange exchange, Principal caller, KeyRequest request, @Nullable String rotates, boolean dryRun) {
        String tenantId = caller.tenantId();
        if (tools.keys().activeOfClient(tenantId, request.clientId()) >= ACTIVE_MAX) {
            throw Refusal.of(
                    ErrorCode.KEY_CONFLICT,
                    "the client '" + request.clientId() + "' has " + ACTIVE_MAX + " keys that work; revoke one first");
        }
        if (dryRun) {
            return new Issued(request.clientId(), request.scopes(), null, null);
        }
        ApiKeyToken token = ApiKeyToken.generate(environmentOf(tenantId), newKeyId(), random);
        tools.issuer().create(tenantId, request.clientId(), request.scopes(), token, request.ratePerSecond());
        note(exchange, Outcome.CREATED, 201, 1L, token.keyId(), request.clientId(), rotates);
        Listed stored = tools.keys().one(tenantId, token.keyId()).orElseThrow();
        return new Issued(request.clientId(), request.scopes(), token, stored);
    }

    Revoked revoke(Exchange exchange, Principal caller, String keyId, boolean dryRun) {
        Revoked revoked = inTurn(() -> {
            Listed key = find(caller, keyId);
            if (key.key().deleted()) {
                if (!dryRun) {
                    note(
                            exchange,
                            Outcome.REPLAY,
                            200,
                            key.key().version(),
                            keyId,
                            key.key().clientId(),
                            null);
                }
                return new Revoked(key, true);
            }
            if (key.key().scopes().contains(Scope.OPS.wireName())
                    && tools.keys().isLastForOps(caller.tenantId(), keyId)) {
                throw Refusal.of(
                        ErrorCode.KEY_CONFLICT,
                        "it is the tenant's last key with the scope 'ops'; create another one first");
            }
            if (dryRun) {
                return new Revoked(key, false);
            }
            tools.issuer().revoke(key.key());
            note(
                    exchange,
                    Outcome.WITHDRAWN,
                    200,
                    key.key().version() + 1,
                    keyId,
                    key.key().clientId(),
                    null);
            return new Revoked(find(caller, keyId), false);
        });
        // Other instances learn it when they ask for the key again.
        authenticator.forget(keyId);
        return revoked;
    }

    private Listed find(Principal caller, String keyId) {
        return tools.keys()
                .one(caller.tenantId(), keyId)
                .orElseThrow(() -> Refusal.of(ErrorCode.NOT_FOUND, "there is no key with this id"));
    }

    private <T> T inTurn(Supplier<T> work) {
        return Objects.requireNonNull(tools.transactions().execute(status -> {
            tools.tenants().takeTurns();
            return work.get();
        }));
    }

    /** What stands in the keys for people and scanners: letters only. */
    private String environmentOf(String tenantId) {
        String letters = tools.keys().environment(tenantId).replaceAll("[^a-z]", "");
        return letters.isEmpty() ? "live" : letters.substring(0, Math.min(letters.length(), 12));
    }

    private String newKeyId() {
        StringBuilder id = new StringBuilder();
        while (id.length() < KEY_ID_CHARACTERS) {
            id.append(Character.forDigit(random.nextInt(BASE), BASE));
        }
        return id.toString();
    }

    private void note(
            Exchange exchange,
            Outcome outcome,
            int status,
            long version,
            String keyId,
            String clientId,
            @Nullable String rotates) {
        String detail = Answers.mapper()
                .writeValueAsString(Answers.mapper()
                        .createObjectNode()
                        .put("key_id", keyId)
                        .put("client_id", clientId)
                        .put("rotates", rotates));
        tools.audit().write(new AuditRow(exchange, clock.instant(), outcome, status, null, version, detail));
        exchange.ends(outcome);
    }
}
