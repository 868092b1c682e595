package dev.postonce.ingest.task;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.runtime.FailPoint;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What every change of a task has in common: its time, its ids, its key's record, and the answer to a repetition. */
public final class Replays {

    private final JdbcTaskWrites writes;
    private final TaskIntake.Tools tools;
    private final Duration keyRetention;

    public Replays(JdbcTaskWrites writes, TaskIntake.Tools tools, Duration keyRetention) {
        this.writes = writes;
        this.tools = tools;
        this.keyRetention = keyRetention;
    }

    /** As the database keeps it, so that what is answered first is what is read later. */
    Instant now() {
        InstantSource clock = tools.clock();
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    UUID nextId() {
        return tools.ids().next();
    }

    KeyBinding binding(Exchange exchange, Principal caller, String route, Instant now, Outcome outcome, int status) {
        return new KeyBinding(exchange, caller, route, keyRetention, now, outcome, status);
    }

    /** The audit row of a repetition, and its key's first use; empty where the key was taken meanwhile. */
    Optional<Acceptance> answer(Exchange exchange, Principal caller, String route, Verdict.Replayed verdict) {
        KnownTask task = verdict.task();
        boolean bind = exchange.idempotencyKey() != null && !verdict.kind().equals("header");
        Instant now = now();
        AuditRow audit = new AuditRow(
                exchange,
                now,
                Outcome.REPLAY,
                200,
                null,
                task.version(),
                AuditDetail.of("content_differs", verdict.contentDiffers()));
        exchange.concernsTask(
                task.externalId(), task.shown().slug(), task.shown().language());
        if (!writes.recordReplay(task, bind, binding(exchange, caller, route, now, Outcome.REPLAY, 200), audit)) {
            return Optional.empty();
        }
        return Optional.of(told(exchange, verdict));
    }

    /** What is left to do where the audit row of the repetition is written. */
    Acceptance told(Exchange exchange, Verdict.Replayed verdict) {
        KnownTask task = verdict.task();
        exchange.concernsTask(
                task.externalId(), task.shown().slug(), task.shown().language());
        FailPoint.hit("ingest.after-key-lookup-before-replay-response");
        exchange.ends(Outcome.REPLAY);
        tools.metrics().recognised(verdict.kind());
        return new Acceptance(task, false, true, List.of(), verdict.contentDiffers(), verdict.notAdded(), null);
    }
}
