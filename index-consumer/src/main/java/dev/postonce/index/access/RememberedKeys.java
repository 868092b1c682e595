package dev.postonce.index.access;

import dev.postonce.index.access.JdbcApiKeys.StoredKey;
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

    private record Remembered(List<StoredKey> keys, Instant until) {}

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
        return known != null && known.until().isAfter(now) ? known.keys() : null;
    }

    /** What is believed for longer stays: an answer that was asked for earlier, and came later, is the older one. */
    synchronized void put(String keyId, List<StoredKey> keys, Instant until) {
        Remembered known = cache.get(keyId);
        if (known == null || !known.until().isAfter(until)) {
            cache.put(keyId, new Remembered(keys, until));
        }
    }
}
