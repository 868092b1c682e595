package dev.postonce.ingest.tenant;

import dev.postonce.ingest.storage.JdbcParameters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Remembers when each key was last used, and writes it once a minute: no request waits for it. */
public final class KeyUses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyUses.class);
    private static final long PERIOD_S = 60;

    private static final String WRITE =
            """
            update ingest.api_key k set last_used_at = u.at
            from unnest(cast(:keys as text[]), cast(cast(:times as text[]) as timestamptz[])) as u (key_id, at)
            where k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at)
            """;

    private final JdbcClient jdbc;
    private final Map<String, Instant> unwritten = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "key-uses");
        thread.setDaemon(true);
        return thread;
    });

    public KeyUses(JdbcClient jdbc) {
        this.jdbc = jdbc;
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
        List<String> keys = new ArrayList<>();
        List<String> times = new ArrayList<>();
        unwritten.forEach((key, at) -> {
            keys.add(key);
            times.add(at.toString());
        });
        if (keys.isEmpty()) {
            return;
        }
        try {
            jdbc.sql(WRITE)
                    .paramSource(new JdbcParameters().texts("keys", keys).texts("times", times))
                    .update();
            for (int i = 0; i < keys.size(); i++) {
                // One that was used again meanwhile stays for the next time.
                unwritten.remove(keys.get(i), Instant.parse(times.get(i)));
            }
        } catch (DataAccessException e) {
            LOG.warn(
                    "the last uses of {} keys were not written ({}); tried again in {} s",
                    keys.size(),
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
