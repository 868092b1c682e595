package dev.postonce.ingest.intake;

import dev.postonce.ingest.intake.JdbcIntakeSecrets.Stored;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.runtime.Belief;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Whose secret signed a record. A secret is believed for a short time before it is looked up again, so one that is
 * revoked works for at most that time longer. Safe for use by several threads.
 */
public final class IntakeSecrets {

    /** Enough to change from one to the next. */
    public static final int ACTIVE_MAX = 2;

    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final int SECRET_CHARACTERS_MIN = 32;
    private static final int CACHED_MAX = 1_000;

    /** A client's secret, ready to check with. */
    record Known(Principal client, Secret secret) {}

    private record Cached(@Nullable Known known, Belief belief) {}

    private final JdbcIntakeSecrets secrets;
    private final SecretCipher cipher;
    private final TransactionTemplate transactions;
    private final InstantSource clock;
    private final Duration ttl;
    private final Map<String, Cached> cache = new ConcurrentHashMap<>();

    public IntakeSecrets(
            JdbcIntakeSecrets secrets,
            SecretCipher cipher,
            TransactionTemplate transactions,
            InstantSource clock,
            Duration ttl) {
        this.secrets = secrets;
        this.cipher = cipher;
        this.transactions = transactions;
        this.clock = clock;
        this.ttl = ttl;
    }

    /** Empty for an unknown and for a revoked one. */
    Optional<Known> find(String keyId) {
        if (!KEY_ID.matcher(keyId).matches()) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        @Nullable Cached cached = cache.get(keyId);
        if (cached == null || !cached.belief().holdsAt(now)) {
            if (cache.size() >= CACHED_MAX) {
                cache.clear();
            }
            cached = new Cached(lookUp(keyId), Belief.of(now, ttl));
            cache.put(keyId, cached);
        }
        return Optional.ofNullable(cached.known());
    }

    private @Nullable Known lookUp(String keyId) {
        Optional<Stored> stored = secrets.byKeyId(keyId).filter(secret -> !secret.revoked());
        if (stored.isEmpty()) {
            return null;
        }
        Stored secret = stored.get();
        Principal client = new Principal(secret.tenantId(), secret.clientId(), keyId, Set.of(Scope.SUBMIT.wireName()));
        return new Known(client, cipher.decrypt(secret.ciphertext(), purposeOf(secret.tenantId(), keyId)));
    }

    /**
     * Keeps a client's new secret. The same again does nothing, and one that was revoked stays so.
     *
     * @throws IllegalArgumentException if it cannot be kept: the message says why, and never quotes the secret
     */
    public void issue(String tenantId, String clientId, String keyId, Secret secret) {
        if (!KEY_ID.matcher(keyId).matches()) {
            throw new IllegalArgumentException("the key id of an intake secret has 1 to 64 of A-Z a-z 0-9 _ -");
        }
        if (secret.reveal().length() < SECRET_CHARACTERS_MIN) {
            throw new IllegalArgumentException(
                    "intake secret " + keyId + " is shorter than " + SECRET_CHARACTERS_MIN + " characters");
        }
        transactions.executeWithoutResult(status -> {
            long active = secrets.countActive(tenantId, clientId);
            Optional<Stored> known = secrets.byKeyId(keyId);
            if (known.isPresent()) {
                requireSame(known.get(), tenantId, clientId, secret);
                return;
            }
            if (active >= ACTIVE_MAX) {
                throw new IllegalArgumentException("client " + clientId + " has " + active
                        + " active intake secrets; revoke one before another is made");
            }
            byte[] ciphertext = cipher.encrypt(secret, purposeOf(tenantId, keyId));
            secrets.insert(new Stored(keyId, tenantId, clientId, ciphertext, false));
        });
        cache.remove(keyId);
    }

    private void requireSame(Stored known, String tenantId, String clientId, Secret secret) {
        boolean same = known.tenantId().equals(tenantId)
                && known.clientId().equals(clientId)
                && cipher.decrypt(known.ciphertext(), purposeOf(tenantId, known.keyId()))
                        .equals(secret);
        if (!same) {
            throw new IllegalArgumentException("intake secret " + known.keyId()
                    + " is there already and is another one; give the new secret a key id of its own");
        }
    }

    /** Looks a secret up anew; other instances do after their time. */
    void forget(String keyId) {
        cache.remove(keyId);
    }

    static String purposeOf(String tenantId, String keyId) {
        return "intake_secret:" + tenantId + ":" + keyId;
    }
}
