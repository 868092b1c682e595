package dev.postonce.index.entry;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/** Forgets event ids after their time, a little at once. Watermarks and tombstones stay for ever. */
public final class InboxRetention implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(InboxRetention.class);
    private static final int ROWS_AT_ONCE_MAX = 2_000;
    private static final int ROUNDS_MAX = 50;

    private final JdbcEntries entries;
    private final ScheduledExecutorService timer;
    private final int keptDays;
    private volatile @Nullable ScheduledFuture<?> sweeping;

    public InboxRetention(JdbcEntries entries, ScheduledExecutorService timer, int keptDays) {
        this.entries = entries;
        this.timer = timer;
        this.keptDays = keptDays;
    }

    @Override
    public void start() {
        sweeping = timer.scheduleWithFixedDelay(this::sweep, 10, 60, TimeUnit.MINUTES);
    }

    private void sweep() {
        try {
            for (int round = 0; round < ROUNDS_MAX && isRunning(); round++) {
                if (entries.deleteOldEventIds(keptDays, ROWS_AT_ONCE_MAX) < ROWS_AT_ONCE_MAX) {
                    return;
                }
            }
        } catch (DataAccessException e) {
            LOG.warn("old event ids stay until the next round, in an hour", e);
        }
    }

    @Override
    public void stop() {
        ScheduledFuture<?> current = sweeping;
        if (current != null) {
            current.cancel(false);
        }
        sweeping = null;
    }

    @Override
    public boolean isRunning() {
        return sweeping != null;
    }
}
