package dev.postonce.dispatch.ledger;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

    private final WorkerPlaces places;

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
        this.places = new WorkerPlaces(bounds.workers(), bounds.perLane());
        this.workers = Executors.newFixedThreadPool(bounds.workers(), runnable -> new Thread(runnable, "dispatch"));
        this.claimer = new Thread(this::loop, "dispatch-claims");
    }

    public void start() {
        claimer.start();
    }

    /** There may be something new. */
    public void wake() {
        places.wake();
    }

    /**
     * Takes no new target, and lets what runs be finished and recorded.
     *
     * @return whether all of it was; if not, its attempts are in doubt
     */
    public boolean stop() throws InterruptedException {
        places.stop();
        claimer.join(bounds.shutdown().toMillis());
        workers.shutdown();
        return workers.awaitTermination(bounds.shutdown().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void loop() {
        try {
            while (places.awaitPlace()) {
                List<Lease> claimed = claim();
                for (Lease one : claimed) {
                    take(one);
                }
                if (claimed.isEmpty()) {
                    places.awaitWork(bounds.poll());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Lease> claim() {
        WorkerPlaces.Free free = places.free();
        try {
            return leases.claim(owner, free.places(), free.busyLanes(), bounds.perLane(), lease);
        } catch (DataAccessException e) {
            LOG.warn(
                    "no targets could be claimed; it is tried again ({})",
                    e.getClass().getSimpleName());
            return List.of();
        }
    }

    private void take(Lease one) {
        if (!places.enter(one.lane())) {
            giveBack(one);
            return;
        }
        workers.execute(() -> {
            try {
                worker.run(one);
            } finally {
                places.leave(one.lane());
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
}
