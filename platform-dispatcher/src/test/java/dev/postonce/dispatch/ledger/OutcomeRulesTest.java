package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.ledger.OutcomeRules.Ended;
import dev.postonce.dispatch.ledger.OutcomeRules.Settled;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.target.Plan;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.dispatch.target.Showing;
import dev.postonce.dispatch.target.Target;
import dev.postonce.dispatch.target.TargetChange;
import dev.postonce.dispatch.target.TargetId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutcomeRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-11T00:00:00Z");
    private static final Recovery ASK = new Recovery.CanBeAsked(Duration.ofSeconds(60));
    private static final Recovery KEY = new Recovery.DedupesByKey(Duration.ofHours(1));
    private static final Recovery NEITHER = new Recovery.Neither();
    private static final UUID ATTEMPT = UUID.fromString("00000000-0000-7000-8000-000000000001");

    private final OutcomeRules rules = new OutcomeRules(
            new RetryDelays(Duration.ofSeconds(1), Duration.ofMinutes(5)), Duration.ofSeconds(1), 5, new Random(1));

    private static TargetChange running(int tries) {
        Plan plan = new Plan(NOW, null, tries, ATTEMPT, null, null, null);
        return TargetChange.of(
                new Target(
                        new TargetId("dev", "a-1", Platform.WORDPRESS),
                        "main",
                        2,
                        TargetState.RUNNING,
                        new Desired(1, "d1", "active", null),
                        Showing.NOTHING,
                        plan),
                NOW);
    }

    private static Ended first() {
        return new Ended(1, "active:d1", false, NOW);
    }

    private static Ended resend() {
        return new Ended(1, "active:d1", true, NOW);
    }

    @Test
    void published_is_confirmed_and_says_when() {
        TargetChange change = running(0);
        assertThat(rules.apply(change, first(), new Outcome.Published("12", "https://x/12", 1), ASK))
                .isEqualTo(Settled.DONE);
        assertThat(change.target().state()).isEqualTo(TargetState.PUBLISHED);
        assertThat(change.target().showing()).isEqualTo(new Showing(1L, "active:d1", "12", "https://x/12", NOW));
        assertThat(change.target().plan().openAttempt()).isNull();
    }

    @Test
    void a_post_found_in_an_older_version_does_not_count_as_the_newer() {
        TargetChange change = running(0);
        rules.apply(change, new Ended(3, "active:d3", false, NOW), new Outcome.Published("12", null, 2), ASK);
        assertThat(change.target().showing().key()).isNotEqualTo("active:d3");
        assertThat(change.target().showing().taskVersion()).isEqualTo(2L);
    }

    @Test
    void refused_is_final_for_this_content() {
        TargetChange change = running(0);
        assertThat(rules.apply(change, first(), new Outcome.Refused("slug_taken", null, null), ASK))
                .isEqualTo(Settled.REFUSED);
        assertThat(change.target().state()).isEqualTo(TargetState.FAILED);
        assertThat(change.target().plan().refusedKey()).isEqualTo("active:d1");
        assertThat(change.target().plan().dueAt()).isNull();
    }

    @Test
    void certainly_not_sent_waits_and_is_tried_again_everywhere() {
        for (Recovery recovery : List.of(ASK, KEY, NEITHER)) {
            TargetChange change = running(2);
            assertThat(rules.apply(change, first(), new Outcome.NotSent("connect_failed", null), recovery))
                    .isEqualTo(Settled.NOT_SENT);
            assertThat(change.target().state()).isEqualTo(TargetState.WAITING);
            assertThat(change.target().plan().dueAt()).isBetween(NOW.plusSeconds(2), NOW.plusSeconds(4));
            assertThat(change.target().plan().openAttempt()).isNull();
        }
    }

    @Test
    void tries_end_somewhere_and_then_it_failed() {
        TargetChange change = running(4);
        rules.apply(change, first(), new Outcome.NotSent("no_address", null), ASK);
        assertThat(change.target().state()).isEqualTo(TargetState.FAILED);
        assertThat(change.target().plan().errorCode()).isEqualTo("gave_up_no_address");
    }

    @Test
    void a_rate_limit_waits_as_long_as_it_was_asked_to() {
        TargetChange change = running(0);
        rules.apply(change, first(), new Outcome.RateLimited(Duration.ofSeconds(90)), ASK);
        assertThat(change.target().state()).isEqualTo(TargetState.WAITING);
        assertThat(change.target().plan().notBefore()).isAfterOrEqualTo(NOW.plusSeconds(90));
    }

    @Test
    void unknown_is_in_doubt_where_something_can_be_done_and_parked_where_not() {
        for (Recovery recovery : List.of(ASK, KEY)) {
            TargetChange change = running(0);
            assertThat(rules.apply(change, first(), new Outcome.Unknown("timeout", null), recovery))
                    .isEqualTo(Settled.OPEN);
            assertThat(change.target().state()).isEqualTo(TargetState.IN_DOUBT);
            assertThat(change.target().plan().openAttempt()).isEqualTo(ATTEMPT);
            assertThat(change.target().plan().dueAt()).isNotNull();
        }
        TargetChange parked = running(0);
        rules.apply(parked, first(), new Outcome.Unknown("timeout", null), NEITHER);
        assertThat(parked.target().state()).isEqualTo(TargetState.AWAITING_OPERATOR);
        assertThat(parked.target().plan().dueAt()).isNull();
        assertThat(parked.events()).extracting("state").containsExactly("in_doubt", "awaiting_operator");
    }

    @Test
    void a_resend_that_did_not_get_through_leaves_the_first_try_in_doubt() {
        for (Outcome outcome :
                List.of(new Outcome.NotSent("connect_failed", null), new Outcome.RateLimited(Duration.ofSeconds(5)))) {
            TargetChange change = running(0);
            assertThat(rules.apply(change, resend(), outcome, KEY)).isEqualTo(Settled.OPEN);
            assertThat(change.target().state()).isEqualTo(TargetState.IN_DOUBT);
            assertThat(change.target().plan().openAttempt()).isEqualTo(ATTEMPT);
        }
    }

    @Test
    void a_refused_resend_is_no_proof_that_the_first_try_failed() {
        TargetChange change = running(0);
        assertThat(rules.apply(change, resend(), new Outcome.Refused("endpoint_gone", null, null), KEY))
                .isEqualTo(Settled.OPEN);
        assertThat(change.target().state()).isEqualTo(TargetState.AWAITING_OPERATOR);
    }

    @Test
    void an_unsupported_update_keeps_what_is_shown() {
        TargetChange change = running(0);
        change.quietly(target -> target.withShowing(new Showing(1L, "active:d0", "12", null, NOW)));
        rules.apply(change, new Ended(2, "active:d1", false, NOW), new Outcome.UpdateUnsupported("no_edit"), ASK);
        assertThat(change.target().state()).isEqualTo(TargetState.UPDATE_UNSUPPORTED);
        assertThat(change.target().showing().taskVersion()).isEqualTo(1L);
    }

    @Test
    void a_withdrawal_counts_as_shown_even_where_there_is_no_trash() {
        TargetChange change = running(0);
        rules.apply(change, new Ended(2, "archived", false, NOW), new Outcome.TakenBack("12", "draft"), ASK);
        assertThat(change.target().state()).isEqualTo(TargetState.WITHDRAWN);
        assertThat(change.target().showing().key()).isEqualTo("archived");
    }
}
