package dev.postonce.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who wait by the wall clock when it was set back. Kafka's clients and Debezium's queue do: they keep the
 * latest time that they saw, so nothing of theirs expires until the clock has come to it again, hours later perhaps.
 *
 * <p>It was set back if it reads earlier than it once did. Time that is slewed, a process that stood still and a step
 * forward never look so; and whoever keeps the latest time waits for just as long as this sees.
 */
public final class ClockWatch implements AutoCloseable {

    /** What any wait may be stretched by: sessions and requests are given several times as long. */
    static final Duration TOLERATED = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);
    private static final long LOOK_EVERY_MS = 1_000;

    /** Whoever has something that waits by the wall clock. */
    @FunctionalInterface
    public interface Listener {

        /** Begins anew what goes by the clock. Must not wait for anything: others are told after it. */
        void clockSetBack();
    }

    private final InstantSource clock;
    private final List<Listener> listeners;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "clock-watch");
        thread.setDaemon(true);
        return thread;
    });
    private Instant latest;

    /** @param listeners told in this order, on the watch's own thread: others may be among what stands still */
    public ClockWatch(InstantSource clock, List<? extends Listener> listeners) {
        this.clock = clock;
        this.listeners = List.copyOf(listeners);
        this.latest = clock.instant();
    }

    public ClockWatch start() {
        timer.scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
        return this;
    }

    synchronized void look() {
        Instant now = clock.instant();
        if (now.isAfter(latest)) {
            latest = now;
        } else if (now.isBefore(latest.minus(TOLERATED))) {
            LOG.warn(
                    "the wall clock was set back by {}: it reads {}, and has read {}. What waits by it is begun anew;"
                            + " nothing is lost, and nobody needs to act",
                    Duration.between(now, latest),
                    now,
                    latest);
            latest = now;
            listeners.forEach(ClockWatch::tell);
        }
    }

    private static void tell(Listener listener) {
        try {
            listener.clockSetBack();
        } catch (RuntimeException e) {
            LOG.error("{} could not begin anew after the clock was set back; restart the process", listener, e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
