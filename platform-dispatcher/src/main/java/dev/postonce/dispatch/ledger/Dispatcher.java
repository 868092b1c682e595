package dev.postonce.dispatch.ledger;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * This instance's life: it registers, takes over from the dead of its host, claims and sends, gives signs of life,
 * and ends its row when nothing of it can send any more.
 */
public final class Dispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final long SAMPLE_EVERY_MS = 2_000;

    private final JdbcInstances instances;
    private final JdbcLeases leases;
    private final InFlight inFlight;
    private final ClaimLoop claims;
    private final LedgerSettings settings;
    private final JdbcLedgerSamples samples;
    private final DispatchMeters meters;
    private final ScheduledExecutorService schedule;
    private volatile LedgerSample sample = LedgerSample.EMPTY;

    Dispatcher(
            JdbcInstances instances,
            JdbcLeases leases,
            InFlight inFlight,
            ClaimLoop claims,
            LedgerSettings settings,
            JdbcLedgerSamples samples,
            DispatchMeters meters) {
        this.instances = instances;
        this.leases = leases;
        this.inFlight = inFlight;
        this.claims = claims;
        this.settings = settings;
        this.samples = samples;
        this.meters = meters;
        this.schedule = Executors.newScheduledThreadPool(2, runnable -> {
            Thread thread = new Thread(runnable, "dispatch-heartbeat");
            thread.setDaemon(true);
            return thread;
        });
    }

    public void start() {
        instances.register();
        takeOverFromTheDead();
        samples.lookAgainAtNotConfigured();
        long every = settings.heartbeat().toMillis();
        schedule.scheduleWithFixedDelay(guarded("heartbeat", this::heartbeat), every, every, TimeUnit.MILLISECONDS);
        schedule.scheduleWithFixedDelay(guarded("sample", this::takeSample), 0, SAMPLE_EVERY_MS, TimeUnit.MILLISECONDS);
        claims.start();
        LOG.info("dispatcher instance {} claims targets", instances.id());
    }

    /** There may be something new to send. */
    public void wake() {
        claims.wake();
    }

    /** The last sample of the ledger; never older than a few seconds while the database answers. */
    public LedgerSample sample() {
        return sample;
    }

    public UUID instanceId() {
        return instances.id();
    }

    public void stop() {
        try {
            boolean finished = claims.stop();
            if (finished) {
                instances.end();
            } else {
                LOG.warn("not all sends ended in time; their attempts stay in doubt until this process is gone");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException e) {
            LOG.warn("this instance's end could not be recorded; the next one on this host sees that it is gone", e);
        } finally {
            schedule.shutdownNow();
        }
    }

    private void heartbeat() {
        instances.heartbeat();
        leases.renew(instances.id(), inFlight.leases(), settings.lease());
        Set<UUID> through = inFlight.untold();
        instances.through(through);
        inFlight.told(through);
        takeOverFromTheDead();
    }

    private void takeOverFromTheDead() {
        List<UUID> dead = instances.endTheDead();
        if (!dead.isEmpty()) {
            leases.endAllOf(dead);
            claims.wake();
        }
    }

    private void takeSample() {
        sample = samples.take();
        meters.sample(sample);
    }

    private static Runnable guarded(String what, Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                // A thrown exception would end the schedule.
                LOG.warn("{} failed, and is tried again: {}", what, e.getMessage());
            }
        };
    }
}
