package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.JdbcLanes.Backlog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Claims lanes that are due, and gives each to a thread. Any number of instances may run. */
public final class DeliveryLoop implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);
    private static final long BACKLOG_REFRESH_NS = TimeUnit.SECONDS.toNanos(10);
    /** A request that takes longer is cut off; its callback is sent again under its id. */
    private static final long STOP_WAIT_S = 12;

    private final JdbcLanes lanes;
    private final LaneWorker worker;
    private final CallbackSettings settings;
    private final Map<String, Integer> busy = new HashMap<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicLong backlogReadAt = new AtomicLong(Long.MIN_VALUE);
    private volatile Backlog backlog = new Backlog(0, 0);
    private volatile boolean running;
    private final ScheduledExecutorService clock;
    private final ExecutorService threads;

    DeliveryLoop(JdbcLanes lanes, LaneWorker worker, CallbackSettings settings, MeterRegistry meters) {
        this.lanes = lanes;
        this.worker = worker;
        this.settings = settings;
        this.clock = Executors.newSingleThreadScheduledExecutor(runnable -> new Thread(runnable, "callback-claims"));
        this.threads = Executors.newFixedThreadPool(settings.threads(), runnable -> new Thread(runnable, "callback"));
        Gauge.builder("postonce.callback.parked", () -> backlog.parked()).register(meters);
        Gauge.builder("postonce.callback.oldest.due", () -> backlog.oldestDueS())
                .baseUnit("seconds")
                .register(meters);
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        long pollMs = settings.poll().toMillis();
        clock.scheduleWithFixedDelay(this::tick, pollMs, pollMs, TimeUnit.MILLISECONDS);
    }

    /** Looks for lanes at once rather than at the next poll: callbacks were appended, or a thread is free. */
    public void wake() {
        if (running && woken.compareAndSet(false, true)) {
            try {
                clock.execute(this::tick);
            } catch (RejectedExecutionException e) {
                LOG.debug("woken while stopping");
            }
        }
    }

    private void tick() {
        woken.set(false);
        try {
            claimAndHandOut();
            refreshBacklog();
        } catch (RuntimeException e) {
            LOG.warn("callbacks were not looked for; they are again in {}", settings.poll(), e);
        }
    }

    private void claimAndHandOut() {
        int free;
        int perTenant;
        List<String> full;
        synchronized (busy) {
            free = settings.threads()
                    - busy.values().stream().mapToInt(Integer::intValue).sum();
            full = busy.entrySet().stream()
                    .filter(entry -> entry.getValue() >= settings.tenantThreadsMax())
                    .map(Map.Entry::getKey)
                    .toList();
            // The fullest of the tenants that are not full sets the measure for all of them.
            perTenant = settings.tenantThreadsMax()
                    - busy.values().stream()
                            .filter(count -> count < settings.tenantThreadsMax())
                            .mapToInt(Integer::intValue)
                            .max()
                            .orElse(0);
        }
        if (free <= 0 || !running) {
            return;
        }
        for (Lane lane : lanes.claim(free, perTenant, full)) {
            synchronized (busy) {
                busy.merge(lane.tenantId(), 1, Integer::sum);
            }
            threads.execute(() -> work(lane));
        }
    }

    private void work(Lane lane) {
        try {
            worker.run(lane, () -> !running);
        } catch (RuntimeException e) {
            LOG.warn(
                    "the callbacks of task {}/{} stay leased for {}, then they are sent again under the same ids",
                    lane.tenantId(),
                    lane.externalId(),
                    settings.lease(),
                    e);
        } finally {
            synchronized (busy) {
                busy.computeIfPresent(lane.tenantId(), (tenant, count) -> count == 1 ? null : count - 1);
            }
            wake();
        }
    }

    private void refreshBacklog() {
        long now = System.nanoTime();
        long last = backlogReadAt.get();
        if (last == Long.MIN_VALUE || now - last > BACKLOG_REFRESH_NS) {
            backlog = lanes.backlog();
            backlogReadAt.set(now);
        }
    }

    /** Requests that are on their way end, and what became of them is written. */
    @Override
    public synchronized void stop() {
        if (!running) {
            return;
        }
        running = false;
        clock.shutdown();
        try {
            clock.awaitTermination(STOP_WAIT_S, TimeUnit.SECONDS);
            threads.shutdown();
            if (!threads.awaitTermination(STOP_WAIT_S, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
