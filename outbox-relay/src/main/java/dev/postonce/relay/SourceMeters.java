package dev.postonce.relay;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.ObservedSource;
import dev.postonce.relay.source.SourceStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gauges of one source. Counters are made where they are counted. */
final class SourceMeters {

    /** From good to lost; the gauge's value is the place in this list. */
    private static final List<String> WAL_STATUS = List.of("reserved", "extended", "unreserved", "lost");

    private SourceMeters() {}

    static void register(MeterRegistry meters, SourceStatus status) {
        OutboxSource source = status.source();
        gauge(meters, "postonce.relay.slot.lag.bytes", source, () -> lag(status.slot()));
        gauge(meters, "postonce.relay.slot.retained.bytes", source, () -> retained(status.slot()));
        gauge(meters, "postonce.relay.slot.wal.status", source, () -> walStatus(status.slot()));
        gauge(meters, "postonce.relay.unpublished.age.seconds", source, status::unpublishedAgeSeconds);
        gauge(meters, "postonce.relay.published.age.seconds", source, status::publishedAgeSeconds);
        for (SourceStatus.State state : SourceStatus.State.values()) {
            Gauge.builder("postonce.relay.state", () -> status.view().state() == state ? 1 : 0)
                    .tag("source", source.name())
                    .tag("state", state.name().toLowerCase(java.util.Locale.ROOT))
                    .register(meters);
        }
        meters.counter("postonce.relay.restarts", "source", source.name());
        for (String topic : source.topics()) {
            meters.counter("postonce.relay.published", "source", source.name(), "topic", topic);
        }
    }

    private static void gauge(
            MeterRegistry meters, String name, OutboxSource source, java.util.function.Supplier<Number> value) {
        Gauge.builder(name, value).tag("source", source.name()).register(meters);
    }

    private static Number lag(ObservedSource.@Nullable Slot slot) {
        return slot == null ? Double.NaN : slot.lagBytes();
    }

    private static Number retained(ObservedSource.@Nullable Slot slot) {
        return slot == null ? Double.NaN : slot.retainedBytes();
    }

    private static Number walStatus(ObservedSource.@Nullable Slot slot) {
        return slot == null ? -1 : WAL_STATUS.indexOf(slot.walStatus());
    }
}
