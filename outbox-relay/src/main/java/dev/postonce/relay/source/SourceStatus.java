package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.publish.PublishListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one source is doing, for health and meters. Written by its threads, read by any. */
public final class SourceStatus implements PublishListener {

    public enum State {
        STARTING(false),
        /** Another relay has the claim; this one takes over when it ends. */
        STANDBY(true),
        /** Something passing stands in the way. */
        WAITING(false),
        BASELINE(false),
        STREAMING(true),
        /** Going on could pass over a gap; a person decides. */
        REFUSED(false),
        /** It failed and tries again. */
        RETRYING(false),
        STOPPED(false);

        private final boolean healthy;

        State(boolean healthy) {
            this.healthy = healthy;
        }

        public boolean healthy() {
            return healthy;
        }
    }

    /** What health shows: the state, and where it is not well, why and what mends it. */
    public record View(State state, @Nullable Refusal refusal, @Nullable String trouble) {}

    private final OutboxSource source;
    private final MeterRegistry meters;
    private final InstantSource clock;
    private volatile View view = new View(State.STARTING, null, null);
    private volatile @Nullable String publishTrouble;
    private volatile @Nullable Instant oldestInHand;
    private volatile long publishedSeq;
    private volatile @Nullable Instant publishedAt;
    private volatile ObservedSource.@Nullable Slot slot;
    private volatile Duration waitingAge = Duration.ZERO;

    public SourceStatus(OutboxSource source, MeterRegistry meters, InstantSource clock) {
        this.source = source;
        this.meters = meters;
        this.clock = clock;
    }

    public OutboxSource source() {
        return source;
    }

    public View view() {
        View current = view;
        String trouble = publishTrouble;
        return trouble == null || current.state() != State.STREAMING
                ? current
                : new View(State.RETRYING, null, trouble);
    }

    void enter(State state) {
        view = new View(state, null, null);
    }

    void refused(Refusal refusal) {
        view = new View(refusal.passing() ? State.WAITING : State.REFUSED, refusal, null);
    }

    void retrying(String trouble) {
        view = new View(State.RETRYING, null, trouble);
        meters.counter("postonce.relay.restarts", "source", source.name()).increment();
    }

    void observed(ObservedSource.@Nullable Slot observed, Duration age) {
        slot = observed;
        waitingAge = age;
    }

    @Override
    public void began(List<OutboxRow> rows) {
        Instant oldest = rows.get(0).occurredAt();
        for (OutboxRow row : rows) {
            oldest = row.occurredAt().isBefore(oldest) ? row.occurredAt() : oldest;
        }
        oldestInHand = oldest;
    }

    @Override
    public void acknowledged(List<OutboxRow> rows) {
        Map<String, Integer> byTopic = new HashMap<>();
        long highest = publishedSeq;
        for (OutboxRow row : rows) {
            byTopic.merge(row.topic(), 1, Integer::sum);
            highest = Math.max(highest, row.seq());
        }
        byTopic.forEach(
                (topic, count) -> meters.counter("postonce.relay.published", "source", source.name(), "topic", topic)
                        .increment(count));
        publishedSeq = highest;
        publishedAt = clock.instant();
    }

    @Override
    public void parked(OutboxRow row, String reasonCode) {
        meters.counter("postonce.relay.parked", "source", source.name(), "reason", reasonCode)
                .increment();
        publishedSeq = Math.max(publishedSeq, row.seq());
    }

    @Override
    public void waiting(@Nullable String reason) {
        publishTrouble = reason;
    }

    /** The batch in hand is acknowledged or parked, or given up. */
    void batchEnded() {
        oldestInHand = null;
        publishTrouble = null;
    }

    void resumeFrom(long seq) {
        publishedSeq = Math.max(publishedSeq, seq);
    }

    long publishedSeq() {
        return publishedSeq;
    }

    public ObservedSource.@Nullable Slot slot() {
        return slot;
    }

    /** Age of the oldest row that is known not to be published. */
    public double unpublishedAgeSeconds() {
        Instant oldest = oldestInHand;
        double inHand = oldest == null ? 0 : seconds(Duration.between(oldest, clock.instant()));
        return Math.max(inHand, seconds(waitingAge));
    }

    /** NaN before the first. */
    public double publishedAgeSeconds() {
        Instant at = publishedAt;
        return at == null ? Double.NaN : seconds(Duration.between(at, clock.instant()));
    }

    private static double seconds(Duration age) {
        return Math.max(0, age.toMillis() / 1000.0);
    }
}
