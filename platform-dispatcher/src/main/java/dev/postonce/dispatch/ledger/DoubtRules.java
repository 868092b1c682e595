package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What may be done about an attempt whose outcome nobody recorded, or that ended unknown. Pure. */
public final class DoubtRules {

    private DoubtRules() {}

    /** What to do about it now. */
    public enum Step {
        /** With the same key, byte for byte. */
        RESEND,
        ASK,
        PARK
    }

    /**
     * What is known of an attempt in doubt.
     *
     * @param firstStartedAt when it, or the first one of which it is a resend, began
     * @param senderDoneAt since when its sender certainly sends nothing more; null if it still might
     * @param ownerAlive whether its owner's heartbeat is fresh, so that it may yet record the outcome itself
     * @param absentSeenAt a complete look-up after {@code senderDoneAt} that did not find it; null if none yet
     * @param hiddenBefore whether readers saw nothing of the post before it: then that they see nothing now does not
     *     tell whether its request acted, or is still on its way and will act on what comes next
     */
    public record Doubt(
            Instant firstStartedAt,
            @Nullable Instant senderDoneAt,
            boolean ownerAlive,
            @Nullable Instant absentSeenAt,
            boolean hiddenBefore) {

        public Doubt(
                Instant firstStartedAt,
                @Nullable Instant senderDoneAt,
                boolean ownerAlive,
                @Nullable Instant absentSeenAt) {
            this(firstStartedAt, senderDoneAt, ownerAlive, absentSeenAt, false);
        }

        boolean isTold(LookUp.Settled settled) {
            return !hiddenBefore || !(settled.outcome() instanceof Outcome.TakenBack);
        }
    }

    /** What a look-up means. */
    public sealed interface Verdict {

        record Settle(Outcome outcome) implements Verdict {}

        /** It left no trace, and none can come any more. */
        record AbsenceProved() implements Verdict {}

        /** @param absentSeenAt to be remembered; null forgets nothing */
        record AskAgain(Instant at, @Nullable Instant absentSeenAt) implements Verdict {}

        /** Only a person, or a later look-up, can settle it. */
        record Park(String code) implements Verdict {}
    }

    public static Step next(Recovery recovery, Instant firstStartedAt, Instant now) {
        if (recovery instanceof Recovery.DedupesByKey dedupes) {
            return now.isBefore(firstStartedAt.plus(dedupes.safeWindow())) ? Step.RESEND : Step.PARK;
        }
        return recovery instanceof Recovery.CanBeAsked ? Step.ASK : Step.PARK;
    }

    /**
     * @param askedAt before the first byte of the look-up left
     * @param pause until the next look-up, where nothing says when
     * @param inDoubtMax after which an attempt that cannot be settled is shown to a person
     */
    public static Verdict afterAsk(
            LookUp lookUp, Doubt doubt, Duration settling, Instant askedAt, Duration pause, Duration inDoubtMax) {
        if (lookUp instanceof LookUp.Settled settled && doubt.isTold(settled)) {
            return new Verdict.Settle(settled.outcome());
        }
        boolean tooLong = askedAt.isAfter(doubt.firstStartedAt().plus(inDoubtMax));
        if (lookUp instanceof LookUp.Inconclusive inconclusive) {
            return tooLong ? new Verdict.Park(inconclusive.code()) : new Verdict.AskAgain(askedAt.plus(pause), null);
        }
        Instant done = doubt.senderDoneAt();
        if (done == null) {
            return doubt.ownerAlive() && !tooLong
                    ? new Verdict.AskAgain(askedAt.plus(pause), null)
                    : new Verdict.Park("sender_unproven");
        }
        if (askedAt.isBefore(done)) {
            return new Verdict.AskAgain(done, null);
        }
        Instant settled = done.plus(settling);
        if (lookUp instanceof LookUp.Settled found) {
            return askedAt.isBefore(settled)
                    ? new Verdict.AskAgain(settled, null)
                    : new Verdict.Settle(found.outcome());
        }
        Instant first = doubt.absentSeenAt();
        if (first == null || first.isBefore(done)) {
            return new Verdict.AskAgain(later(settled, askedAt.plusMillis(1)), askedAt);
        }
        if (askedAt.isAfter(first) && !askedAt.isBefore(settled)) {
            return new Verdict.AbsenceProved();
        }
        return new Verdict.AskAgain(later(settled, askedAt.plusMillis(1)), first);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
