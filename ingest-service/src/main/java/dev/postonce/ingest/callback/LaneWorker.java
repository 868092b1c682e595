package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.DeliveryOutcome.Failed;
import dev.postonce.ingest.callback.Lanes.Step;
import dev.postonce.runtime.FailPoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what is due in one claimed lane, one after the other. */
final class LaneWorker {

    private static final Logger LOG = LoggerFactory.getLogger(LaneWorker.class);
    /** Then the lane goes back, so that others have their turn. */
    private static final int CALLBACKS_MAX = 20;

    private final Lanes lanes;
    private final CallbackSender sender;
    private final RetrySchedule schedule;
    private final MeterRegistry meters;

    LaneWorker(Lanes lanes, CallbackSender sender, RetrySchedule schedule, MeterRegistry meters) {
        this.lanes = lanes;
        this.sender = sender;
        this.schedule = schedule;
        this.meters = meters;
    }

    /**
     * @param stopping asked between two callbacks
     * @throws RuntimeException if the database fails; the lane's lease runs out, and the callback is sent again under
     *     its id
     */
    void run(Lane lane, BooleanSupplier stopping) {
        for (int sent = 1; sent <= CALLBACKS_MAX; sent++) {
            Optional<DueCallback> due = lanes.begin(lane);
            if (due.isEmpty()) {
                lanes.giveBack(lane);
                return;
            }
            DeliveryOutcome outcome = sender.send(lane, due.get());
            FailPoint.hit("ingest.after-callback-2xx-before-mark");
            boolean mayGoOn = sent < CALLBACKS_MAX && !stopping.getAsBoolean();
            if (finish(lane, due.get(), outcome, mayGoOn) != Step.GO_ON) {
                return;
            }
        }
    }

    private Step finish(Lane lane, DueCallback callback, DeliveryOutcome outcome, boolean mayGoOn) {
        @Nullable
        Duration next = outcome instanceof Failed failed
                ? schedule.after(callback.attempts(), failed.retryAfter()).orElse(null)
                : null;
        Step step = lanes.finish(lane, callback, outcome, next, mayGoOn);
        String result = step == Step.FENCED ? "fenced" : outcome.code();
        meters.counter("postonce.callback.deliveries", "outcome", result).increment();
        if (step != Step.FENCED && next == null && !(outcome instanceof DeliveryOutcome.Delivered)) {
            LOG.warn(
                    "callback {} of task {}/{} is parked after {} attempts: {}. It stays visible under the task's"
                            + " callbacks until a newer one is delivered or a person replays it",
                    callback.webhookId(),
                    lane.tenantId(),
                    lane.externalId(),
                    callback.attempts(),
                    outcome.code());
        }
        return step;
    }
}
