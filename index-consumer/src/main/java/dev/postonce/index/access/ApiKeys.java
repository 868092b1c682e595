package dev.postonce.index.access;

import dev.postonce.index.access.JdbcApiKeys.StoredKey;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a bearer key. What the database said of a key id, also that it knows none, is kept for a few seconds
 * and for so many ids only: a revoked key works that much longer at most.
 */
public final class ApiKeys {

    private static final int REMEMBERED_MAX = 2_000;
    private static final String BEARER = "Bearer ";

    private record Remembered(List<StoredKey> keys, Instant until) {}

    private final Function<String, List<StoredKey>> source;
    private final Secret pepper;
    private final Duration remembered;
    private final InstantSource clock;
    private final Map<String, Remembered> cache = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

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
        synchronized (cache) {
            Remembered known = cache.get(keyId);
            if (known != null && known.until.isAfter(now)) {
                return known.keys;
            }
        }
        // Outside of the lock: no lock across a network call.
        List<StoredKey> keys = source.apply(keyId);
        synchronized (cache) {
            cache.put(keyId, new Remembered(keys, now.plus(remembered)));
        }
        return keys;
    }
}
