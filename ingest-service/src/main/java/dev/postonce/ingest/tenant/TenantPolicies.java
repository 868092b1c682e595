package dev.postonce.ingest.tenant;

import dev.postonce.runtime.Belief;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tenants' choices. Each is believed for a short time, so that a submission costs no look-up of its own. Safe for
 * use by several threads.
 */
public final class TenantPolicies {

    private static final int CACHED_MAX = 10_000;

    private record Cached(TenantPolicy policy, Belief belief) {}

    private final JdbcTenantPolicies policies;
    private final Duration ttl;
    private final InstantSource clock;
    private final Map<String, Cached> cache = new ConcurrentHashMap<>();

    public TenantPolicies(JdbcTenantPolicies policies, Duration ttl, InstantSource clock) {
        this.policies = policies;
        this.ttl = ttl;
        this.clock = clock;
    }

    public TenantPolicy of(String tenantId) {
        Instant now = clock.instant();
        @Nullable Cached cached = cache.get(tenantId);
        if (cached != null && cached.belief().holdsAt(now)) {
            return cached.policy();
        }
        TenantPolicy policy = policies.find(tenantId).orElse(TenantPolicy.DEFAULT);
        if (cache.size() >= CACHED_MAX) {
            cache.clear();
        }
        cache.put(tenantId, new Cached(policy, Belief.of(now, ttl)));
        return policy;
    }
}
