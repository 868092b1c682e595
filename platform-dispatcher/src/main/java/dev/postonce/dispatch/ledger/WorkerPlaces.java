package dev.postonce.dispatch.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many sends run at once: in all, and with one account (a lane). The claiming thread waits here for a free place,
 * or for something to do. Safe for use by several threads.
 */
public final class WorkerPlaces {

    private final int placesMax;
    private final int perLaneMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Integer> busyLanes = new HashMap<>();
    private int busy;
    private boolean woken;
    private boolean stopping;

    /** What may be claimed now. */
    record Free(int places, Map<String, Integer> busyLanes) {}

    public WorkerPlaces(int placesMax, int perLaneMax) {
        this.placesMax = placesMax;
        this.perLaneMax = perLaneMax;
    }

    /** From here on {@link #wake} counts for the next wait. */
    Free free() {
        lock.lock();
        try {
            woken = false;
            return new Free(placesMax - busy, Map.copyOf(busyLanes));
        } finally {
            lock.unlock();
        }
    }

    /** @return false if there is no place, or none in this lane, or it is time to stop */
    public boolean enter(@Nullable String lane) {
        lock.lock();
        try {
            boolean laneFull = lane != null && busyLanes.getOrDefault(lane, 0) >= perLaneMax;
            if (stopping || laneFull || busy >= placesMax) {
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

    public void leave(@Nullable String lane) {
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

    public int busy() {
        lock.lock();
        try {
            return busy;
        } finally {
            lock.unlock();
        }
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

    /** Nobody enters any more, and nobody waits. */
    public void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** @return false when it is time to stop */
    boolean awaitPlace() throws InterruptedException {
        lock.lock();
        try {
            while (!stopping && busy >= placesMax) {
                changed.await();
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Until woken, stopped, or the time is over. */
    void awaitWork(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = atMost.toNanos();
            while (!woken && !stopping && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }
}
