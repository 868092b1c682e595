package dev.postonce.index.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** All meters of the service, with their names. */
public final class IndexMeters {

    /** What became of an event. */
    public enum Decision {
        APPLIED,
        DUPLICATE,
        STALE,
        CONFLICT,
        PARKED
    }

    /** What a person is to look at; each has a log line at ERROR. */
    public enum Alarm {
        VERSION_CONFLICT,
        OFFSET_MISSING,
        OFFSET_OUT_OF_RANGE,
        TOPIC_RECREATED,
        REPLICA_DAMAGED,
        CONSUMER_STOPPED
    }

    private final MeterRegistry registry;
    private final Timer eventDelay;
    private final Timer refresh;
    private final Timer commit;

    public IndexMeters(MeterRegistry registry) {
        this.registry = registry;
        this.eventDelay = Timer.builder("postonce.index.event.delay")
                .description("from an event's ce_time to its commit in index.entry")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(5))
                .maximumExpectedValue(Duration.ofMinutes(5))
                .register(registry);
        this.refresh = Timer.builder("postonce.index.replica.refresh")
                .description("how long a refresh of the Lucene replica took")
                .register(registry);
        this.commit = Timer.builder("postonce.index.replica.commit")
                .description("how long a commit of the Lucene replica took")
                .register(registry);
        for (Decision decision : Decision.values()) {
            events(decision);
            replicaEvents(decision);
        }
        for (Alarm alarm : Alarm.values()) {
            alarms(alarm);
        }
    }

    public void count(Decision decision) {
        events(decision).increment();
    }

    public void countInReplica(Decision decision) {
        replicaEvents(decision).increment();
    }

    public void alarm(Alarm alarm) {
        alarms(alarm).increment();
    }

    public void eventDelay(Duration delay) {
        eventDelay.record(delay.isNegative() ? Duration.ZERO : delay);
    }

    public Timer refresh() {
        return refresh;
    }

    public Timer commit() {
        return commit;
    }

    public Timer search() {
        return registry.timer("postonce.index.search");
    }

    /** @param path {@code entry} or {@code replica} */
    public void gauges(String path, Supplier<Number> backlogRecords, Supplier<Number> versionLagSeconds) {
        io.micrometer.core.instrument.Gauge.builder("postonce.index.backlog", backlogRecords)
                .description("records between the position and the end of the topics")
                .tag("path", path)
                .register(registry);
        io.micrometer.core.instrument.Gauge.builder("postonce.index.version.lag", versionLagSeconds)
                .description("age of the oldest event that waits to be applied; 0 when none waits")
                .baseUnit("seconds")
                .tag("path", path)
                .register(registry);
    }

    private Counter events(Decision decision) {
        return registry.counter("postonce.index.events", "decision", word(decision));
    }

    private Counter replicaEvents(Decision decision) {
        return registry.counter("postonce.index.replica.events", "decision", word(decision));
    }

    private Counter alarms(Alarm alarm) {
        return registry.counter("postonce.index.alarms", "alarm", word(alarm));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
