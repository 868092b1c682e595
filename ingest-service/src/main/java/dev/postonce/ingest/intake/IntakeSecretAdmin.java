package dev.postonce.ingest.intake;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.intake.JdbcIntakeSecrets.Listed;
import dev.postonce.ingest.intake.JdbcIntakeSecrets.Stored;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.Secret;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a tenant's operators do with its intake secrets. To change one: make the next, give it to the client, revoke the
 * one before. Each change and its audit row are one transaction; changes of one client take turns.
 */
final class IntakeSecretAdmin {

    private static final int SECRET_BYTES = 32;
    private static final int KEY_ID_CHARACTERS = 12;
    private static final int BASE = 36;

    /** What the changes are made with; all of it in one database and one transaction manager. */
    record Tools(
            JdbcIntakeSecrets secrets,
            SecretCipher cipher,
            JdbcAudit audit,
            TransactionTemplate transactions,
            InstantSource clock) {}

    /**
     * A secret that was made, or would be.
     *
     * @param keyId null, as is the secret, where it was only tried
     */
    record Issued(@Nullable String keyId, @Nullable Secret secret) {}

    /** @param before whether it was revoked already */
    record Revoked(Listed secret, boolean before) {}

    private final Tools tools;
    private final IntakeSecrets known;
    private final RandomGenerator random;

    /** @param random a cryptographically strong source */
    IntakeSecretAdmin(Tools tools, IntakeSecrets known, RandomGenerator random) {
        this.tools = tools;
        this.known = known;
        this.random = random;
    }

    List<Listed> list(Principal caller) {
        return tools.secrets().list(caller.tenantId());
    }

    /** @param dryRun whether only to tell what would come of it */
    Issued create(Exchange exchange, Principal caller, String clientId, boolean dryRun) {
        if (!tools.cipher().isUsable()) {
            throw Refusal.of(
                    ErrorCode.KEY_CONFLICT,
                    "this service keeps no secrets: its administrator sets POSTONCE_SECRETS_KEY");
        }
        return Objects.requireNonNull(tools.transactions().execute(status -> {
            if (tools.secrets().countActive(caller.tenantId(), clientId) >= IntakeSecrets.ACTIVE_MAX) {
                throw Refusal.of(
                        ErrorCode.KEY_CONFLICT,
                        "the client '" + clientId + "' has " + IntakeSecrets.ACTIVE_MAX
                                + " intake secrets that work; revoke one first");
            }
            return dryRun ? new Issued(null, null) : issue(exchange, caller.tenantId(), clientId);
        }));
    }

    private Issued issue(Exchange exchange, String tenantId, String clientId) {
        String keyId = newKeyId();
        Secret secret = newSecret();
        byte[] ciphertext = tools.cipher().encrypt(secret, IntakeSecrets.purposeOf(tenantId, keyId));
        tools.secrets().insert(new Stored(keyId, tenantId, clientId, ciphertext, false));
        note(exchange, Outcome.CREATED, 201, keyId, clientId);
        return new Issued(keyId, secret);
    }

    Revoked revoke(Exchange exchange, Principal caller, String keyId, boolean dryRun) {
        Listed secret = find(caller, keyId);
        if (dryRun) {
            return new Revoked(secret, secret.revokedAt() != null);
        }
        boolean now = Boolean.TRUE.equals(tools.transactions().execute(status -> {
            boolean revoked = tools.secrets().revoke(caller.tenantId(), keyId);
            note(exchange, revoked ? Outcome.WITHDRAWN : Outcome.REPLAY, 200, keyId, secret.clientId());
            return revoked;
        }));
        known.forget(keyId);
        return new Revoked(find(caller, keyId), !now);
    }

    private Listed find(Principal caller, String keyId) {
        return list(caller).stream()
                .filter(secret -> secret.keyId().equals(keyId))
                .findFirst()
                .orElseThrow(() -> Refusal.of(ErrorCode.NOT_FOUND, "there is no intake secret with this id"));
    }

    private void note(Exchange exchange, Outcome outcome, int status, String keyId, String clientId) {
        String detail = Answers.mapper()
                .writeValueAsString(Answers.mapper()
                        .createObjectNode()
                        .put("secret", "intake")
                        .put("key_id", keyId)
                        .put("client_id", clientId));
        tools.audit().write(new AuditRow(exchange, tools.clock().instant(), outcome, status, null, null, detail));
        exchange.ends(outcome);
    }

    private String newKeyId() {
        StringBuilder id = new StringBuilder();
        while (id.length() < KEY_ID_CHARACTERS) {
            id.append(Character.forDigit(random.nextInt(BASE), BASE));
        }
        return id.toString();
    }

    private Secret newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Secret.of("pis_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
}
