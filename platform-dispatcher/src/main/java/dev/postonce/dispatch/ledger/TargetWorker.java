package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.ledger.EffectLedger.Work;
import dev.postonce.runtime.FailPoint;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One claimed target, once through: decide and write down; send or ask; write down what came of it. */
final class TargetWorker {

    private static final Logger LOG = LoggerFactory.getLogger(TargetWorker.class);

    private final EffectLedger ledger;
    private final OutcomeRecorder recorder;
    private final InFlight inFlight;
    private final DispatchMeters meters;
    private final InstantSource clock;

    TargetWorker(
            EffectLedger ledger,
            OutcomeRecorder recorder,
            InFlight inFlight,
            DispatchMeters meters,
            InstantSource clock) {
        this.ledger = ledger;
        this.recorder = recorder;
        this.inFlight = inFlight;
        this.meters = meters;
        this.clock = clock;
    }

    void run(Lease lease) {
        inFlight.begin(lease);
        boolean written = false;
        try {
            FailPoint.hit("dispatch.after-poll-before-attempt-row");
            Work work = ledger.begin(lease);
            if (work instanceof Work.Send send) {
                sendAndRecord(lease, send);
            } else if (work instanceof Work.Ask ask) {
                askAndRecord(lease, ask);
            }
            written = true;
        } catch (RuntimeException e) {
            // Nothing is lost: the rows say what was begun, and the lease ends.
            LOG.error("{} is left as the ledger has it, and taken up again when its lease ends", lease.id(), e);
        } finally {
            if (written) {
                inFlight.end(lease);
            } else {
                inFlight.endUntold(lease);
            }
        }
    }

    private void sendAndRecord(Lease lease, Work.Send work) {
        FailPoint.hit("dispatch.after-attempt-row-before-http");
        Outcome outcome = send(lease, work);
        Instant observedAt = clock.instant();
        FailPoint.hit("dispatch.lease-expired-during-slow-platform");
        if (outcome instanceof Outcome.Published || outcome instanceof Outcome.TakenBack) {
            FailPoint.hit("dispatch.after-2xx-before-result-commit");
        }
        boolean counted = recorder.record(lease, work, outcome, observedAt);
        meters.attempt(lease.id().platform(), counted ? outcome.word() : "fenced");
        LOG.info(
                "{} {} version {}: {}",
                work.attempt().job().action().wireName(),
                lease.id(),
                work.attempt().job().taskVersion(),
                outcome);
    }

    private static Outcome send(Lease lease, Work.Send work) {
        try {
            return work.connector().send(work.attempt().job(), work.account(), lease);
        } catch (RuntimeException e) {
            // A fault of ours in the middle of it: nobody knows how far it came.
            LOG.error("the connector failed on {}; the outcome counts as unknown", lease.id(), e);
            return new Outcome.Unknown("connector_fault", e.getClass().getSimpleName());
        }
    }

    private void askAndRecord(Lease lease, Work.Ask work) {
        LookUp lookUp = ask(work);
        Instant observedAt = clock.instant();
        FailPoint.hit("dispatch.after-lookup-before-reconcile-commit");
        recorder.recordLookUp(lease, work, lookUp, observedAt);
        meters.lookUp(lease.id().platform(), lookUp);
        LOG.info(
                "asked about {} version {}: {}",
                lease.id(),
                work.attempt().job().taskVersion(),
                lookUp);
    }

    private static LookUp ask(Work.Ask work) {
        try {
            return work.connector().ask(work.attempt().job(), work.account());
        } catch (RuntimeException e) {
            LOG.error(
                    "the look-up for {} failed; it proves nothing",
                    work.attempt().job().id(),
                    e);
            return new LookUp.Inconclusive("connector_fault", e.getClass().getSimpleName());
        }
    }
}
