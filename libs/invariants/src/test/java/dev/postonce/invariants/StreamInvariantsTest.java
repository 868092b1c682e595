package dev.postonce.invariants;

import static dev.postonce.invariants.History.ANCIENT;
import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.PROMO;
import static dev.postonce.invariants.History.YOUNG;
import static dev.postonce.invariants.IntakeInvariantsTest.assertOne;
import static dev.postonce.invariants.ViolationKind.DOUBLED;
import static dev.postonce.invariants.ViolationKind.EXTRA;
import static dev.postonce.invariants.ViolationKind.MISSING;
import static dev.postonce.invariants.ViolationKind.OUT_OF_ORDER;
import static dev.postonce.invariants.ViolationKind.UNTRUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.UndecodableFact;
import org.junit.jupiter.api.Test;

class StreamInvariantsTest {

    private static final AggregateKey KEY = new AggregateKey(AggregateKey.Kind.TASK, "dev:article");
    private final Invariant complete = new NoEventLostNoneInvented();
    private final Invariant ordered = new OrderPerKey();

    @Test
    void a_committed_event_that_is_not_on_the_topic_is_missing() {
        assertOne(History.clean().outbox(KEY, 1, OLD).check(complete), MISSING, KEY);
    }

    @Test
    void a_young_event_may_still_be_on_its_way() {
        CheckResult result = History.clean().outbox(KEY, 1, YOUNG).check(complete);
        assertThat(result.holds()).isTrue();
        assertThat(result.inFlight()).isEqualTo(1);
    }

    @Test
    void a_parked_event_explains_itself() {
        CheckResult result = History.clean()
                .outbox(KEY, 1, OLD)
                .parked(KEY, ParkedFact.By.RELAY, 1)
                .check(complete);
        assertThat(result.holds()).isTrue();
        assertThat(result.explained()).isEqualTo(1);
    }

    @Test
    void what_a_consumer_parked_does_not_explain_why_the_topic_lacks_it() {
        CheckResult result = History.clean()
                .outbox(KEY, 1, OLD)
                .parked(KEY, ParkedFact.By.INDEX, 1)
                .check(complete);
        assertOne(result, MISSING, KEY);
    }

    @Test
    void a_record_that_was_never_committed_is_extra_even_if_it_is_young() {
        CheckResult result = History.clean()
                .onTopic(KEY, 1, History.event(KEY, 1), History.data(KEY, 1), YOUNG)
                .check(complete);
        assertOne(result, EXTRA, KEY);
    }

    @Test
    void a_record_older_than_the_archive_needs_no_row() {
        long beforeTheArchive = History.NOW.minus(java.time.Duration.ofDays(40)).toEpochMilli();
        CheckResult result = History.clean()
                .onTopic(KEY, 1, History.event(KEY, 1), History.data(KEY, 1), beforeTheArchive)
                .check(complete);
        assertThat(result.holds()).isTrue();
    }

    @Test
    void a_record_that_is_no_event_is_extra() {
        UndecodableFact odd = new UndecodableFact("postonce.task.v1", 3, 17, "header ce_id is missing");
        assertOne(History.clean().undecodable(odd).check(complete), EXTRA, odd);
    }

    @Test
    void exact_copies_are_at_least_once_and_fine() {
        History history = History.clean().onTopic(PROMO, 1).onTopic(PROMO, 2).onTopic(PROMO, 2);
        assertThat(history.check(complete).holds()).isTrue();
        assertThat(history.check(ordered).holds()).isTrue();
    }

    @Test
    void a_copy_that_is_not_exact_is_untrue() {
        CheckResult result = History.clean()
                .onTopic(PROMO, 2, History.event(PROMO, 2), History.print("another"), OLD)
                .check(complete);
        assertOne(result, UNTRUE, PROMO);
    }

    @Test
    void a_record_that_differs_from_its_row_is_untrue() {
        CheckResult result = History.clean()
                .outbox(KEY, 1, OLD)
                .onTopic(KEY, 1, History.event(KEY, 1), History.print("another"), OLD)
                .check(complete);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void one_event_under_two_keys_is_untrue() {
        CheckResult result = History.empty()
                .outbox(KEY, 1, OLD)
                .onTopic(KEY, 1)
                .outbox(new dev.postonce.invariants.facts.OutboxFact(
                        PROMO, History.event(KEY, 1), 1, OLD, History.data(KEY, 1), History.content(KEY, 1)))
                .onTopic(PROMO, 1, History.event(KEY, 1), History.data(KEY, 1), OLD)
                .check(complete);
        assertThat(result.count(UNTRUE)).isEqualTo(1);
    }

    @Test
    void a_compacted_topic_may_lack_old_versions() {
        History history = History.clean().outbox(KEY, 1, ANCIENT).committed(KEY, 2);
        assertThat(history.check(complete).holds()).isTrue();
        assertThat(history.check(ordered).holds()).isTrue();
    }

    @Test
    void a_lower_version_after_a_higher_one_is_out_of_order() {
        CheckResult result = History.empty()
                .outbox(KEY, 1, OLD)
                .outbox(KEY, 2, OLD)
                .onTopic(KEY, 2)
                .onTopic(KEY, 1)
                .check(ordered);
        assertOne(result, OUT_OF_ORDER, KEY);
    }

    @Test
    void one_key_on_two_partitions_is_out_of_order() {
        CheckResult result = History.empty()
                .committed(KEY, 1)
                .onTopic(new RecordFact(KEY, History.event(KEY, 2), 2, OLD, 5, 1, History.data(KEY, 2), "dev"))
                .check(ordered);
        assertOne(result, OUT_OF_ORDER, KEY);
    }

    @Test
    void a_gap_that_nothing_explains_is_missing() {
        CheckResult result = History.empty()
                .committed(KEY, 1)
                .outbox(KEY, 2, OLD)
                .committed(KEY, 3)
                .check(ordered);
        assertOne(result, MISSING, KEY);
    }

    @Test
    void a_gap_in_the_versions_themselves_is_missing() {
        assertOne(History.empty().committed(KEY, 1).committed(KEY, 3).check(ordered), MISSING, KEY);
    }

    @Test
    void a_gap_is_explained_by_a_parked_row() {
        CheckResult result = History.empty()
                .committed(KEY, 1)
                .outbox(KEY, 2, OLD)
                .parked(KEY, ParkedFact.By.RELAY, 2)
                .committed(KEY, 3)
                .check(ordered);
        assertThat(result.holds()).isTrue();
        assertThat(result.explained()).isEqualTo(1);
    }

    @Test
    void the_next_history_begins_far_above() {
        CheckResult result =
                History.empty().committed(KEY, 1).committed(KEY, 1_000_000_001L).check(ordered);
        assertThat(result.holds()).isTrue();
    }

    @Test
    void the_present_state_may_be_emitted_again_under_a_new_id() {
        CheckResult result = History.clean()
                .onTopic(PROMO, 2, History.event(PROMO, 77), History.data(PROMO, 2), OLD)
                .check(ordered);
        assertThat(result.holds()).isTrue();
    }

    @Test
    void one_version_with_two_contents_is_a_double() {
        CheckResult result = History.clean()
                .onTopic(PROMO, 2, History.event(PROMO, 77), History.print("another"), OLD)
                .check(ordered);
        assertOne(result, DOUBLED, PROMO);
    }

    @Test
    void topics_that_were_not_read_are_not_judged() {
        History history = History.empty().withoutTopics().outbox(KEY, 1, OLD);
        assertThat(history.check(complete).checkedKeys()).isZero();
        assertThat(history.check(ordered).checkedKeys()).isZero();
    }
}
