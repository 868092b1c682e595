package dev.postonce.ingest.tenant;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Remembers when each key was last used, and writes it once a minute: no request waits for it. */
public final class KeyUses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyUses.class);
    private static final long PERIOD_S = 60;

    private final JdbcTenants tenants;
    private final Map<String, Instant> unwritten = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "key-uses");
        thread.setDaemon(true);
        return thread;
    });

    public KeyUses(JdbcTenants tenants) {
        this.tenants = tenants;
    }

    public void start() {
        var ignored = executor.scheduleWithFixedDelay(this::write, PERIOD_S, PERIOD_S, TimeUnit.SECONDS);
    }

    /** Of a key that is known, so there are no more of them than keys. */
    void used(String keyId, Instant at) {
        unwritten.put(keyId, at);
    }

    /** Writes what came since the last time. */
    public void write() {
        Map<String, Instant> uses = Map.copyOf(unwritten);
        if (uses.isEmpty()) {
            return;
        }
        try {
            tenants.noteUses(uses);
            // One that was used again meanwhile stays for the next time.
            uses.forEach(unwritten::remove);
        } catch (DataAccessException e) {
            LOG.warn(
                    "the last uses of {} keys were not written ({}); tried again in {} s",
                    uses.size(),
                    e.getClass().getSimpleName(),
                    PERIOD_S);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        write();
    }
}
