package dev.postonce.sandbox.fault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Decides which requests suffer. A draw depends on the seed, the request and how often that request came, not on the
 * order in which threads arrive: the same requests suffer in each run of one seed. Safe for use by several threads.
 */
public final class FaultInjector {

    private static final int REMEMBERED_REQUESTS_MAX = 200_000;

    private final Map<Long, Integer> occurrences = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > REMEMBERED_REQUESTS_MAX;
        }
    };

    private final Map<String, Map<FaultKind, Integer>> left = new LinkedHashMap<>();
    private FaultPlan plan = FaultPlan.NONE;

    public synchronized void set(FaultPlan newPlan) {
        plan = newPlan;
        occurrences.clear();
        left.clear();
        newPlan.platforms().forEach((name, settings) -> {
            Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
            for (FaultKind kind : FaultKind.values()) {
                counts.put(kind, settings.chance(kind).next());
            }
            left.put(name, counts);
        });
    }

    /** The plan as it stands, with what is left of each count of next requests. */
    public synchronized FaultPlan plan() {
        Map<String, FaultSettings> platforms = new LinkedHashMap<>();
        plan.platforms().forEach((name, settings) -> {
            FaultSettings remaining = settings;
            for (FaultKind kind : FaultKind.values()) {
                int count = left.getOrDefault(name, Map.of()).getOrDefault(kind, 0);
                if (settings.chance(kind).next() != count) {
                    remaining = remaining.withNext(kind, count);
                }
            }
            platforms.put(name, remaining);
        });
        return new FaultPlan(plan.seed(), platforms);
    }

    /**
     * Draws for one request.
     *
     * @param identity what makes two requests the same: method, path, body
     * @param changesSomething false for look-ups
     * @param createsPost whether a slug could be suffixed
     */
    public synchronized FaultDecision decide(
            String platform, byte[] identity, boolean changesSomething, boolean createsPost) {
        FaultSettings settings = plan.of(platform);
        if (settings.chances().isEmpty() || !(changesSomething || settings.allRequests())) {
            return FaultDecision.NOTHING;
        }
        long key = digest(platform, identity);
        int occurrence = occurrences.merge(key, 1, Integer::sum);
        FaultKind drawn = null;
        for (FaultKind kind : FaultKind.values()) {
            if (kind != FaultKind.FORCE_SLUG_SUFFIX
                    && drawn == null
                    && hits(platform, kind, settings.chance(kind), key, occurrence)) {
                drawn = kind;
            }
        }
        boolean acts = drawn == null || !new FaultDecision(drawn, settings, false).preventsActing();
        boolean suffix = createsPost
                && acts
                && hits(
                        platform,
                        FaultKind.FORCE_SLUG_SUFFIX,
                        settings.chance(FaultKind.FORCE_SLUG_SUFFIX),
                        key,
                        occurrence);
        return drawn == null && !suffix ? FaultDecision.NOTHING : new FaultDecision(drawn, settings, suffix);
    }

    private boolean hits(String platform, FaultKind kind, Chance chance, long key, int occurrence) {
        Map<FaultKind, Integer> counts = left.getOrDefault(platform, Map.of());
        int remaining = counts.getOrDefault(kind, 0);
        if (remaining > 0) {
            counts.put(kind, remaining - 1);
            return true;
        }
        if (chance.rate() == 0) {
            return false;
        }
        long mixed = plan.seed() * 0x9E3779B97F4A7C15L ^ key ^ ((long) kind.ordinal() << 56) ^ occurrence;
        return new SplittableRandom(mixed).nextDouble() < chance.rate();
    }

    private static long digest(String platform, byte[] identity) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(platform.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            return ByteBuffer.wrap(sha.digest(identity)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
