package dev.postonce.index.access;

import dev.postonce.index.access.JdbcApiKeys.StoredKey;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Belief;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a bearer key. What the database said of a key id, also that it knows none, is kept for a few seconds
 * and for so many ids only: a revoked key works that much longer at most.
 */
public final class ApiKeys {

    private static final String BEARER = "Bearer ";

    private final Function<String, List<StoredKey>> source;
    private final Secret pepper;
    private final Duration remembered;
    private final InstantSource clock;
    private final RememberedKeys known = new RememberedKeys();

    public ApiKeys(JdbcApiKeys source, Secret pepper, Duration remembered, InstantSource clock) {
        this(source::active, pepper, remembered, clock);
    }

    ApiKeys(Function<String, List<StoredKey>> source, Secret pepper, Duration remembered, InstantSource clock) {
        this.source = source;
        this.pepper = pepper;
        this.remembered = remembered;
        this.clock = clock;
    }

    /** @throws ProblemException 401 or 403 */
    public Caller authenticate(@Nullable String authorization, String scope) {
        return caller(authorization).orElseThrow(ProblemException::unauthorized).require(scope);
    }

    private Optional<Caller> caller(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        Optional<ApiKeyToken> token =
                ApiKeyToken.parse(authorization.substring(BEARER.length()).strip());
        if (token.isEmpty()) {
            return Optional.empty();
        }
        for (StoredKey key : stored(token.get().keyId())) {
            if (token.get().matches(key.secretDigest(), pepper)) {
                return Optional.of(key.caller());
            }
        }
        return Optional.empty();
    }

    private List<StoredKey> stored(String keyId) {
        Instant now = clock.instant();
        List<StoredKey> found = known.get(keyId, now);
        if (found != null) {
            return found;
        }
        // No lock across a question to the database: two may ask at once, and the later answer stays.
        List<StoredKey> keys = source.apply(keyId);
        known.put(keyId, keys, Belief.of(now, remembered), clock.instant());
        return keys;
    }
}
