package dev.postonce.ingest.tenant;

import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.RateGate;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Belief;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells who calls. A key's row is believed for a short time, so that a submission costs no look-up of its own; a
 * revoked key therefore works for at most that time longer. Safe for use by several threads.
 */
public final class Authenticator {

    private static final String SCHEME = "Bearer ";
    private static final int HEADER_CHARACTERS_MAX = 256;
    private static final int CACHED_KEYS_MAX = 10_000;
    private static final Duration UNKNOWN_TTL_MAX = Duration.ofSeconds(1);

    private static final int UNKNOWN_ASKED_A_SECOND_MAX = 200;

    private record Cached(@Nullable StoredKey key, Belief belief) {}

    /** @param ratePerSecond of the key or its tenant; null for the default */
    public record Caller(Principal principal, @Nullable Integer ratePerSecond) {}

    private final JdbcTenants tenants;
    private final Secret pepper;
    private final Duration ttl;
    private final InstantSource clock;
    private final KeyUses uses;
    private final Map<String, Cached> cache = new ConcurrentHashMap<>();
    /** A flood of invented keys must not become a flood of questions to the database. */
    private final RateGate unknownKeys = new RateGate(UNKNOWN_ASKED_A_SECOND_MAX);

    public Authenticator(JdbcTenants tenants, Secret pepper, Duration ttl, InstantSource clock, KeyUses uses) {
        this.tenants = tenants;
        this.uses = uses;
        this.pepper = pepper;
        this.ttl = ttl;
        this.clock = clock;
    }

    /** As {@link #call}, without the rate. */
    public Optional<Principal> authenticate(@Nullable String authorization) {
        return call(authorization).map(Caller::principal);
    }

    /** Empty for a missing, malformed, unknown or revoked key: all are answered alike. */
    public Optional<Caller> call(@Nullable String authorization) {
        if (authorization == null
                || authorization.length() > HEADER_CHARACTERS_MAX
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        Optional<ApiKeyToken> token =
                ApiKeyToken.parse(authorization.substring(SCHEME.length()).strip());
        if (token.isEmpty()) {
            return Optional.empty();
        }
        @Nullable StoredKey key = lookUp(token.get().keyId());
        if (key == null || key.deleted() || !token.get().matches(key.secretDigest(), pepper)) {
            return Optional.empty();
        }
        uses.used(key.keyId(), clock.instant());
        Principal principal = new Principal(key.tenantId(), key.clientId(), key.keyId(), Set.copyOf(key.scopes()));
        return Optional.of(new Caller(principal, key.ratePerSecond()));
    }

    /** Asks the database at the key's next use. */
    void forget(String keyId) {
        cache.remove(keyId);
    }

    private @Nullable StoredKey lookUp(String keyId) {
        Instant now = clock.instant();
        @Nullable Cached cached = cache.get(keyId);
        if (cached != null && cached.belief().holdsAt(now)) {
            return cached.key();
        }
        if ((cached == null || cached.key() == null) && !unknownKeys.admits(now)) {
            throw Refusal.of(
                    ErrorCode.RATE_LIMITED, "too many unknown keys are tried at present; this one was not looked up");
        }
        @Nullable StoredKey key = tenants.key(keyId).orElse(null);
        makeRoom();
        Duration believed = key == null && ttl.compareTo(UNKNOWN_TTL_MAX) > 0 ? UNKNOWN_TTL_MAX : ttl;
        cache.put(keyId, new Cached(key, Belief.of(now, believed)));
        return key;
    }

    private void makeRoom() {
        if (cache.size() >= CACHED_KEYS_MAX) {
            cache.values().removeIf(cached -> cached.key() == null);
        }
        if (cache.size() >= CACHED_KEYS_MAX) {
            cache.clear();
        }
    }
}
