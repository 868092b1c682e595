package dev.postonce.index.access;

import dev.postonce.index.access.JdbcApiKeys.StoredKey;
import dev.postonce.runtime.Belief;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the database said of key ids, also that it knows none, each until its time is over; the least used go first.
 * Safe for use by several threads.
 */
final class RememberedKeys {

    private static final int REMEMBERED_MAX = 2_000;

    private record Remembered(List<StoredKey> keys, Belief belief) {}

    private final Map<String, Remembered> cache = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    /** Null if nothing is known at that time. */
    synchronized @Nullable List<StoredKey> get(String keyId, Instant now) {
        Remembered known = cache.get(keyId);
        return known != null && known.belief().holdsAt(now) ? known.keys() : null;
    }

    /** What was asked for later stays, and an answer that comes after it is dropped; but not what no longer holds. */
    synchronized void put(String keyId, List<StoredKey> keys, Belief belief, Instant now) {
        Remembered known = cache.get(keyId);
        if (known == null
                || !known.belief().holdsAt(now)
                || !known.belief().from().isAfter(belief.from())) {
            cache.put(keyId, new Remembered(keys, belief));
        }
    }
}
