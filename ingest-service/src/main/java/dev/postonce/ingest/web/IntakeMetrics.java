package dev.postonce.ingest.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The meters of the intake; docs/names.md lists them. */
public final class IntakeMetrics {

    private final MeterRegistry registry;
    /** By step: to look a timer up costs more than to use it. */
    private final Map<String, Timer> steps = new ConcurrentHashMap<>();

    public IntakeMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void answered(String route, Outcome outcome, long elapsedNanos) {
        Timer.builder("postonce.intake.requests")
                .tag("route", route)
                .tag("outcome", outcome.wireName())
                .register(registry)
                .record(elapsedNanos, java.util.concurrent.TimeUnit.NANOSECONDS);
    }

    /** @param face {@code batch} or {@code kafka} */
    public void line(String face, Outcome outcome) {
        registry.counter("postonce.intake.lines", "face", face, "outcome", outcome.wireName())
                .increment();
    }

    void refused(ErrorCode code) {
        registry.counter("postonce.intake.refusals", "code", code.wireName()).increment();
    }

    /** @param kind {@code header}, {@code natural} or {@code slug} */
    public void recognised(String kind) {
        registry.counter("postonce.intake.idempotency.hits", "kind", kind).increment();
    }

    /**
     * A constraint said that somebody else was first: a replay, or a race that was lost.
     *
     * @param table {@code task} or {@code group}
     */
    public void uniqueConflict(String table) {
        registry.counter("postonce.intake.unique.conflicts", "table", table).increment();
    }

    public void possibleDuplicate() {
        registry.counter("postonce.intake.possible.duplicates").increment();
    }

    /** @param step such as {@code prepare}, {@code create}, {@code ask} */
    public <T> T timed(String step, Supplier<T> work) {
        return steps.computeIfAbsent(step, this::timerOf).record(work);
    }

    private Timer timerOf(String step) {
        return Timer.builder("postonce.intake.step").tag("step", step).register(registry);
    }
}
