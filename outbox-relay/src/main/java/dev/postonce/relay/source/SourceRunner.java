package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.SourceChecks.Verdict;
import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.runtime.FailPoint;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source's life: claim it, check it, lead it, and begin again after whatever went wrong. One thread; stopping may
 * come from any.
 */
public final class SourceRunner {

    private static final Logger LOG = LoggerFactory.getLogger(SourceRunner.class);
    private static final Duration STANDBY_ASKS_EVERY = Duration.ofSeconds(1);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(45);

    private final OutboxSource source;
    private final RelaySettings settings;
    private final PgConnections connections;
    private final SourceLeader leader;
    private final SourceStatus status;
    private final ScheduledExecutorService timer;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private @Nullable Refusal lastRefusal;

    public SourceRunner(
            OutboxSource source,
            RelaySettings settings,
            PgConnections connections,
            SourceLeader leader,
            SourceStatus status,
            ScheduledExecutorService timer) {
        this.source = source;
        this.settings = settings;
        this.connections = connections;
        this.leader = leader;
        this.status = status;
        this.timer = timer;
        this.thread = new Thread(this::run, "relay-" + source.name());
    }

    public void start() {
        thread.start();
    }

    public SourceStatus status() {
        return status;
    }

    /** Returns at once. The claim stays. */
    public void beginAnew() {
        leader.beginAnew();
    }

    /** Returns when nothing of this source runs any more. */
    public void stop() throws InterruptedException {
        stopping.countDown();
        leader.interrupt();
        thread.join(STOP_WITHIN.toMillis());
        if (thread.isAlive()) {
            LOG.warn("source {} did not stop in time; its thread is interrupted", source.name());
            thread.interrupt();
            thread.join(STOP_WITHIN.toMillis());
        }
    }

    private void run() {
        Duration pause = settings.retryMin();
        try {
            while (running()) {
                Outcome outcome = attempt();
                if (outcome == Outcome.FAILED) {
                    pauseFor(pause);
                    Duration next = pause.multipliedBy(2);
                    pause = next.compareTo(settings.retryMax()) < 0 ? next : settings.retryMax();
                } else {
                    pause = settings.retryMin();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            status.enter(State.STOPPED);
        }
    }

    private enum Outcome {
        HELD,
        FAILED
    }

    /** From one claim to its end. */
    private Outcome attempt() throws InterruptedException {
        try (SourceClaim claim =
                SourceClaim.tryAcquire(connections, source, settings.instance(), settings.claimTtl(), timer)) {
            if (claim == null) {
                status.enter(State.STANDBY);
                pauseFor(STANDBY_ASKS_EVERY);
                return Outcome.HELD;
            }
            FailPoint.hit("relay.after-lease-before-claim");
            LOG.info("source {}: claimed with epoch {}", source.name(), claim.epoch());
            return hold(claim);
        } catch (SQLException | RuntimeException e) {
            failed(e);
            return Outcome.FAILED;
        }
    }

    /** Leads, waits and leads again while the claim is held. */
    private Outcome hold(SourceClaim claim) throws InterruptedException {
        Outcome outcome = Outcome.FAILED;
        Duration pause = settings.retryMin();
        while (running() && claim.held()) {
            try {
                Verdict.Refused refused = leader.lead(claim, this::running);
                outcome = Outcome.HELD;
                pause = settings.retryMin();
                if (refused != null) {
                    report(refused.refusal());
                    pauseFor(settings.checkEvery());
                }
            } catch (SQLException | RuntimeException e) {
                if (status.view().state() == State.STREAMING) {
                    pause = settings.retryMin();
                }
                if (running() && claim.held()) {
                    failed(e);
                    pauseFor(pause);
                    Duration next = pause.multipliedBy(2);
                    pause = next.compareTo(settings.retryMax()) < 0 ? next : settings.retryMax();
                }
            }
        }
        return outcome;
    }

    private void report(Refusal refusal) {
        status.refused(refusal);
        if (!refusal.equals(lastRefusal)) {
            lastRefusal = refusal;
            if (refusal.passing()) {
                LOG.warn(
                        "source {} waits ({}): {}",
                        source.name(),
                        refusal.code().wireName(),
                        refusal.english());
            } else {
                LOG.error(
                        "source {} is not published any more ({}): {} / {}",
                        source.name(),
                        refusal.code().wireName(),
                        refusal.english(),
                        refusal.chinese());
            }
        }
    }

    private void failed(Exception e) {
        if (running()) {
            LOG.warn("source {} failed and begins again; nothing is skipped: {}", source.name(), e.toString());
            LOG.debug("source {} failed", source.name(), e);
            status.retrying(e.toString());
        }
    }

    private boolean running() {
        return stopping.getCount() > 0;
    }

    private void pauseFor(Duration pause) throws InterruptedException {
        stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }
}
