package dev.postonce.dispatch.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Claims due targets for as many workers as are free, and no more of one account than may be sent at once. One
 * thread claims; {@link #wake} makes it look at once.
 */
public final class ClaimLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimLoop.class);

    private final JdbcLeases leases;
    private final TargetWorker worker;
    private final UUID owner;
    private final Duration lease;
    private final Bounds bounds;
    private final ExecutorService workers;
    private final Thread claimer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Integer> busyLanes = new HashMap<>();
    private int busy;
    private boolean woken;
    private boolean stopping;

    /**
     * @param workers sends at once
     * @param perLane sends at once with one account
     * @param poll between two looks at an idle table
     */
    public record Bounds(int workers, int perLane, Duration poll, Duration shutdown) {}

    ClaimLoop(JdbcLeases leases, TargetWorker worker, UUID owner, Duration lease, Bounds bounds) {
        this.leases = leases;
        this.worker = worker;
        this.owner = owner;
        this.lease = lease;
        this.bounds = bounds;
        this.workers = Executors.newFixedThreadPool(bounds.workers(), runnable -> new Thread(runnable, "dispatch"));
        this.claimer = new Thread(this::loop, "dispatch-claims");
    }

    public void start() {
        claimer.start();
    }

    /** There may be something new. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no new target, and lets what runs be finished and recorded.
     *
     * @return whether all of it was; if not, its attempts are in doubt
     */
    public boolean stop() throws InterruptedException {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        claimer.join(bounds.shutdown().toMillis());
        workers.shutdown();
        return workers.awaitTermination(bounds.shutdown().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void loop() {
        try {
            while (awaitFreeWorker()) {
                List<Lease> claimed = claim();
                for (Lease one : claimed) {
                    take(one);
                }
                if (claimed.isEmpty()) {
                    awaitWorkOrPoll();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Lease> claim() {
        int free;
        Map<String, Integer> lanes;
        lock.lock();
        try {
            free = bounds.workers() - busy;
            lanes = Map.copyOf(busyLanes);
            woken = false;
        } finally {
            lock.unlock();
        }
        try {
            return leases.claim(owner, free, lanes, bounds.perLane(), lease);
        } catch (DataAccessException e) {
            LOG.warn(
                    "no targets could be claimed; it is tried again ({})",
                    e.getClass().getSimpleName());
            return List.of();
        }
    }

    private void take(Lease one) {
        if (!enter(one.lane())) {
            giveBack(one);
            return;
        }
        workers.execute(() -> {
            try {
                worker.run(one);
            } finally {
                leave(one.lane());
            }
        });
    }

    private void giveBack(Lease one) {
        try {
            leases.release(one);
        } catch (DataAccessException e) {
            LOG.warn("a claim on {} could not be given back; it ends by itself", one.id());
        }
    }

    private boolean enter(@Nullable String lane) {
        lock.lock();
        try {
            if (stopping || (lane != null && busyLanes.getOrDefault(lane, 0) >= bounds.perLane())) {
                return false;
            }
            busy++;
            if (lane != null) {
                busyLanes.merge(lane, 1, Integer::sum);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave(@Nullable String lane) {
        lock.lock();
        try {
            busy--;
            if (lane != null) {
                busyLanes.computeIfPresent(lane, (key, count) -> count > 1 ? count - 1 : null);
            }
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** @return false when it is time to stop */
    private boolean awaitFreeWorker() throws InterruptedException {
        lock.lock();
        try {
            while (!stopping && busy >= bounds.workers()) {
                changed.await();
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    private void awaitWorkOrPoll() throws InterruptedException {
        lock.lock();
        try {
            if (!woken && !stopping) {
                boolean ignored = changed.await(bounds.poll().toMillis(), TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
    }
}
