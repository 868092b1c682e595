package dev.postonce.relay;

import dev.postonce.messaging.KafkaAccess;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.KafkaPublisher;
import dev.postonce.relay.publish.Parking;
import dev.postonce.relay.publish.Producers;
import dev.postonce.relay.source.OutboxReader;
import dev.postonce.relay.source.RelaySettings;
import dev.postonce.relay.source.SourceLeader;
import dev.postonce.relay.source.SourceRunner;
import dev.postonce.relay.source.SourceStatus;
import dev.postonce.runtime.ClockWatch;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.context.SmartLifecycle;

/** All sources of this process. They stop before the web server and the connection pool do. */
final class RelaySources implements SmartLifecycle, ClockWatch.Listener, AutoCloseable {

    private final List<SourceRunner> runners;
    private final ScheduledExecutorService timer;
    private volatile boolean running;

    /** Where to publish, and how long to wait for it. */
    record Target(KafkaAccess kafka, Duration deliveryTimeout, Parking parking) {}

    /** What measures. */
    record Gauges(MeterRegistry meters, InstantSource clock) {}

    RelaySources(
            List<OutboxSource> sources,
            RelaySettings settings,
            SourceLeader.Database database,
            OutboxReader reader,
            Target target,
            Gauges gauges) {
        this.timer = Executors.newScheduledThreadPool(2, work -> {
            Thread thread = new Thread(work, "relay-claims");
            thread.setDaemon(true);
            return thread;
        });
        this.runners = sources.stream()
                .map(source -> runner(source, settings, database, reader, target, gauges))
                .toList();
    }

    private SourceRunner runner(
            OutboxSource source,
            RelaySettings settings,
            SourceLeader.Database database,
            OutboxReader reader,
            Target target,
            Gauges gauges) {
        SourceStatus status = new SourceStatus(source, gauges.meters(), gauges.clock());
        SourceMeters.register(gauges.meters(), status);
        SourceLeader leader = new SourceLeader(
                source,
                settings,
                database,
                reader,
                () -> new KafkaPublisher(
                        source,
                        () -> Producers.create(
                                target.kafka(), "postonce-relay-" + source.name(), target.deliveryTimeout()),
                        target.parking(),
                        status,
                        settings.retryMin(),
                        settings.retryMax()),
                status);
        return new SourceRunner(source, settings, database.connections(), leader, status, timer);
    }

    List<SourceStatus> statuses() {
        return runners.stream().map(SourceRunner::status).toList();
    }

    @Override
    public void start() {
        running = true;
        runners.forEach(SourceRunner::start);
    }

    /** Producers and readers alike collect and expire by the wall clock. */
    @Override
    public void clockSetBack() {
        if (running) {
            runners.forEach(SourceRunner::beginAnew);
        }
    }

    @Override
    public void stop() {
        if (!running) {
            return;
        }
        running = false;
        List<Thread> stopping = runners.stream()
                .map(runner -> new Thread(() -> stop(runner), "relay-stop"))
                .toList();
        stopping.forEach(Thread::start);
        try {
            for (Thread thread : stopping) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
    }

    private static void stop(SourceRunner runner) {
        try {
            runner.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void close() {
        stop();
    }
}
