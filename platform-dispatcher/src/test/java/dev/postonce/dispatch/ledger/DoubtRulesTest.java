package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.ledger.DoubtRules.Doubt;
import dev.postonce.dispatch.ledger.DoubtRules.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DoubtRulesTest {

    private static final Instant T0 = Instant.parse("2026-11-11T00:00:00Z");
    private static final Duration SETTLING = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofHours(1);

    private static Verdict after(LookUp lookUp, Doubt doubt, Instant askedAt) {
        return DoubtRules.afterAsk(lookUp, doubt, SETTLING, askedAt, PAUSE, MAX);
    }

    @Test
    void what_dedupes_is_resent_within_its_time_less_a_margin() {
        Recovery day = new Recovery.DedupesByKey(Duration.ofHours(10));
        assertThat(DoubtRules.next(day, T0, T0.plus(Duration.ofHours(8)))).isEqualTo(DoubtRules.Step.RESEND);
        assertThat(DoubtRules.next(day, T0, T0.plus(Duration.ofHours(9)))).isEqualTo(DoubtRules.Step.PARK);
    }

    @Test
    void what_can_be_asked_is_asked_and_what_can_do_neither_is_parked() {
        assertThat(DoubtRules.next(new Recovery.CanBeAsked(SETTLING), T0, T0)).isEqualTo(DoubtRules.Step.ASK);
        assertThat(DoubtRules.next(new Recovery.Neither(), T0, T0)).isEqualTo(DoubtRules.Step.PARK);
    }

    @Test
    void found_settles_at_once_even_while_the_sender_lives() {
        Outcome found = new Outcome.Published("12", null, 1);
        assertThat(after(new LookUp.Settled(found), new Doubt(T0, null, true, null), T0))
                .isEqualTo(new Verdict.Settle(found));
    }

    /** Found by the simulation: the request of a second withdrawal was still on its way, and would have hidden a restored post. */
    @Test
    void a_post_that_was_hidden_before_counts_as_taken_back_only_when_its_request_can_act_no_more() {
        LookUp hidden = new LookUp.Settled(new Outcome.TakenBack("12", "draft"));
        assertThat(after(hidden, new Doubt(T0, null, true, null, false), T0)).isInstanceOf(Verdict.Settle.class);
        assertThat(after(hidden, new Doubt(T0, null, true, null, true), T0)).isInstanceOf(Verdict.AskAgain.class);
        assertThat(after(hidden, new Doubt(T0, null, false, null, true), T0))
                .isEqualTo(new Verdict.Park("sender_unproven"));
        Doubt done = new Doubt(T0, T0.plusSeconds(10), false, null, true);
        assertThat(after(hidden, done, T0.plusSeconds(69))).isEqualTo(new Verdict.AskAgain(T0.plusSeconds(70), null));
        assertThat(after(hidden, done, T0.plusSeconds(70))).isInstanceOf(Verdict.Settle.class);
    }

    @Test
    void one_complete_look_up_proves_nothing() {
        Doubt doubt = new Doubt(T0, T0, false, null);
        Instant late = T0.plus(Duration.ofMinutes(30));
        assertThat(after(new LookUp.Absent(), doubt, late)).isInstanceOfSatisfying(Verdict.AskAgain.class, again -> {
            assertThat(again.absentSeenAt()).isEqualTo(late);
            assertThat(again.at()).isAfter(late);
        });
    }

    @Test
    void the_second_proves_it_only_a_settling_time_after_the_last_byte() {
        Instant done = T0.plusSeconds(10);
        Doubt doubt = new Doubt(T0, done, false, done.plusSeconds(1));
        assertThat(after(new LookUp.Absent(), doubt, done.plusSeconds(59)))
                .isEqualTo(new Verdict.AskAgain(done.plusSeconds(60), done.plusSeconds(1)));
        assertThat(after(new LookUp.Absent(), doubt, done.plusSeconds(60))).isEqualTo(new Verdict.AbsenceProved());
    }

    @Test
    void a_look_up_from_before_the_last_byte_does_not_count() {
        Instant done = T0.plusSeconds(10);
        Doubt early = new Doubt(T0, done, false, done.minusSeconds(1));
        assertThat(after(new LookUp.Absent(), early, done.plusSeconds(90))).isInstanceOf(Verdict.AskAgain.class);
        assertThat(after(new LookUp.Absent(), new Doubt(T0, done, false, null), done.minusSeconds(1)))
                .isEqualTo(new Verdict.AskAgain(done, null));
    }

    @Test
    void a_sender_that_may_still_send_is_waited_for_while_it_lives_and_parked_when_it_is_silent() {
        assertThat(after(new LookUp.Absent(), new Doubt(T0, null, true, null), T0.plusSeconds(100)))
                .isInstanceOf(Verdict.AskAgain.class);
        assertThat(after(new LookUp.Absent(), new Doubt(T0, null, false, null), T0.plusSeconds(100)))
                .isEqualTo(new Verdict.Park("sender_unproven"));
        assertThat(after(
                        new LookUp.Absent(),
                        new Doubt(T0, null, true, null),
                        T0.plus(MAX).plusSeconds(1)))
                .isEqualTo(new Verdict.Park("sender_unproven"));
    }

    @Test
    void an_error_proves_nothing_and_is_shown_to_a_person_after_a_while() {
        LookUp error = new LookUp.Inconclusive("lookup_http_500", null);
        Doubt doubt = new Doubt(T0, T0, false, T0.plusSeconds(1));
        assertThat(after(error, doubt, T0.plusSeconds(100))).isEqualTo(new Verdict.AskAgain(T0.plusSeconds(101), null));
        assertThat(after(error, doubt, T0.plus(MAX).plusSeconds(1))).isEqualTo(new Verdict.Park("lookup_http_500"));
    }

    /**
     * A platform that acts on the request at some moment up to the settling time after the last byte, a sender that
     * ends at some moment, and look-ups at random moments: absence is never proved of what is there or will be.
     */
    @Test
    void absence_is_never_proved_of_a_post_that_still_appears() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            Instant done = T0.plusMillis(random.nextInt(120_000));
            Instant appears = done.minusMillis(random.nextInt(60_000)).plusMillis(random.nextInt(120_000));
            if (appears.isAfter(done.plus(SETTLING))) {
                continue;
            }
            Instant provedAt = proofOrNull(random, done, appears);
            assertThat(provedAt == null || appears.isAfter(T0.plus(Duration.ofDays(1))))
                    .as("seed %d, round %d: done %s, appears %s, proved %s", seed, round, done, appears, provedAt)
                    .isTrue();
        }
    }

    private static Instant proofOrNull(Random random, Instant done, Instant appears) {
        Instant now = T0;
        Instant absentSeenAt = null;
        for (int ask = 0; ask < 12; ask++) {
            boolean there = !appears.isAfter(now);
            boolean error = random.nextInt(5) == 0;
            LookUp lookUp = error
                    ? new LookUp.Inconclusive("error", null)
                    : there ? new LookUp.Settled(new Outcome.Published("1", null, 1)) : new LookUp.Absent();
            Instant known = random.nextInt(4) == 0 || now.isBefore(done) ? null : done;
            Verdict verdict = after(lookUp, new Doubt(T0, known, true, absentSeenAt), now);
            if (verdict instanceof Verdict.AbsenceProved) {
                return now;
            } else if (verdict instanceof Verdict.AskAgain again) {
                absentSeenAt = again.absentSeenAt() == null ? absentSeenAt : again.absentSeenAt();
                now = random.nextBoolean() ? again.at() : again.at().plusMillis(random.nextInt(90_000));
            } else {
                return null;
            }
        }
        return null;
    }
}
