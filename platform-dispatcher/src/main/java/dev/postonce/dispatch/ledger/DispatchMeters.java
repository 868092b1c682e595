package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.connector.LookUp;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** All meters of the dispatcher. Gauges show the last sample of the tables. */
public final class DispatchMeters {

    private final MeterRegistry registry;
    private final Map<TargetState, AtomicLong> targets = new EnumMap<>(TargetState.class);
    private final AtomicLong inDoubt = new AtomicLong();
    private final AtomicLong inDoubtOldestMs = new AtomicLong();
    private final AtomicLong parked = new AtomicLong();

    public DispatchMeters(MeterRegistry registry) {
        this.registry = registry;
        for (TargetState state : TargetState.values()) {
            AtomicLong value = new AtomicLong();
            targets.put(state, value);
            Gauge.builder("postonce.dispatch.targets", value, AtomicLong::doubleValue)
                    .description("targets in each state")
                    .tag("state", state.wireName())
                    .register(registry);
        }
        gauge("postonce.dispatch.in_doubt", "attempts without a settled outcome, those under way included", inDoubt);
        Gauge.builder("postonce.dispatch.in_doubt.oldest.age", inDoubtOldestMs, ms -> ms.get() / 1000.0)
                .description("age of the oldest of them")
                .baseUnit("seconds")
                .register(registry);
        gauge("postonce.dispatch.parked", "records that could not be processed and wait for a person", parked);
    }

    private void gauge(String name, String description, AtomicLong value) {
        Gauge.builder(name, value, AtomicLong::doubleValue)
                .description(description)
                .register(registry);
    }

    void attempt(Platform platform, String outcome) {
        registry.counter("postonce.dispatch.attempts", "platform", platform.wireName(), "outcome", outcome)
                .increment();
    }

    void lookUp(Platform platform, LookUp lookUp) {
        String answer = lookUp.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        registry.counter("postonce.dispatch.lookups", "platform", platform.wireName(), "answer", answer)
                .increment();
    }

    /** @param decision what the gate said, or {@code parked} */
    public void event(String decision) {
        registry.counter("postonce.dispatch.events", "decision", decision).increment();
    }

    /** A partition's position was lost: loud, since it should never happen. */
    public void offsetIncident() {
        registry.counter("postonce.dispatch.offset.incidents").increment();
    }

    void sample(LedgerSample sample) {
        targets.forEach((state, value) -> value.set(sample.targets().getOrDefault(state, 0L)));
        inDoubt.set(sample.inDoubt());
        inDoubtOldestMs.set(sample.inDoubtOldest().toMillis());
        parked.set(sample.parkedRecords());
    }
}
