package dev.postonce.relay.wal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hands the engine's position to the relay each time before the database is told of it. When the relay cannot store
 * it, the engine does not tell the database either.
 *
 * <p>Nothing is loaded: an engine always begins where the slot stands, and sends a transaction that was cut in the
 * middle again from its beginning. A loaded position would make it search for the place and skip what lies before,
 * which saves some copies and has lost events in more than one release. What is stored is there to prove, before each
 * start, that nobody moved the slot.
 */
public final class PositionStore extends MemoryOffsetBackingStore {

    static final String KEY_PROPERTY = "offset.storage.postonce.reading";

    /** The engine makes its store from a class name, so the way to the relay goes over a name. */
    private static final Map<String, Sink> SINKS = new ConcurrentHashMap<>();

    private static final JsonMapper JSON = new JsonMapper();

    private @Nullable String reading;

    /** Takes a position; throws when it could not be stored. */
    @FunctionalInterface
    interface Sink {
        void advanced(long lsn, String detail);
    }

    static void register(String reading, Sink sink) {
        SINKS.put(reading, sink);
    }

    static void unregister(String reading) {
        SINKS.remove(reading);
    }

    @Override
    public void configure(WorkerConfig config) {
        super.configure(config);
        reading = config.originalsStrings().get(KEY_PROPERTY);
    }

    @Override
    protected void save() {
        Sink sink = reading == null ? null : SINKS.get(reading);
        if (sink == null) {
            throw new IllegalStateException("the reading " + reading + " is over; its position is not stored");
        }
        for (ByteBuffer value : data.values()) {
            if (value != null) {
                String text = StandardCharsets.UTF_8.decode(value.duplicate()).toString();
                Long lsn = confirmable(text);
                if (lsn != null) {
                    sink.advanced(lsn, text);
                }
            }
        }
    }

    /** The place that the engine is about to confirm to the slot, by the connector's own rule. */
    static @Nullable Long confirmable(String offset) {
        JsonNode json = JSON.readTree(offset);
        JsonNode commit = json.get("lsn_commit");
        JsonNode lsn = commit == null || commit.isNull() ? json.get("lsn_proc") : commit;
        return lsn == null || lsn.isNull() ? null : lsn.asLong();
    }

    @Override
    public Set<Map<String, Object>> connectorPartitions(String connectorName) {
        return Set.of();
    }
}
