package dev.postonce.ingest.request;

import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Removes the records of expired keys in the background, so that the table does not grow for ever. */
public final class ExpiredKeys implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ExpiredKeys.class);
    private static final int BATCH_ROWS = 1_000;
    private static final int BATCHES_MAX = 100;
    private static final long PERIOD_S = 600;

    private final JdbcRequests requests;
    private final InstantSource clock;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "expired-keys");
        thread.setDaemon(true);
        return thread;
    });

    public ExpiredKeys(JdbcRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    public void start() {
        var ignored = executor.scheduleWithFixedDelay(this::sweep, PERIOD_S, PERIOD_S, TimeUnit.SECONDS);
    }

    void sweep() {
        try {
            for (int batch = 0; batch < BATCHES_MAX; batch++) {
                if (requests.sweep(clock.instant(), BATCH_ROWS) < BATCH_ROWS) {
                    return;
                }
            }
        } catch (DataAccessException e) {
            LOG.warn(
                    "expired Idempotency-Keys were not removed ({}); tried again in {} s",
                    e.getClass().getSimpleName(),
                    PERIOD_S);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
