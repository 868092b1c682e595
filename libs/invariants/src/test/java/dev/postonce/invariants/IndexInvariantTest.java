package dev.postonce.invariants;

import static dev.postonce.invariants.History.INDEX;
import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.PROMO;
import static dev.postonce.invariants.History.REPLICA;
import static dev.postonce.invariants.History.YOUNG;
import static dev.postonce.invariants.IntakeInvariantsTest.assertOne;
import static dev.postonce.invariants.ViolationKind.DOUBLED;
import static dev.postonce.invariants.ViolationKind.EXTRA;
import static dev.postonce.invariants.ViolationKind.MISSING;
import static dev.postonce.invariants.ViolationKind.STALE;
import static dev.postonce.invariants.ViolationKind.UNTRUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.ParkedFact;
import org.junit.jupiter.api.Test;

class IndexInvariantTest {

    private static final AggregateKey KEY = new AggregateKey(AggregateKey.Kind.TASK, "dev:article");
    private final Invariant indexed = new OneEntryNewestState();

    @Test
    void a_key_without_an_entry_is_missing_in_that_sink() {
        CheckResult result = two().entry(INDEX, KEY, 2, false).check(indexed);
        assertOne(result, MISSING, KEY);
        assertThat(result.violations().get(0).explanation()).contains(REPLICA);
    }

    @Test
    void a_replica_that_gave_one_tenant_is_not_asked_for_another() {
        CheckResult result = History.clean()
                .replicaOf("shop")
                .taskRow(KEY, 1, false, "article")
                .committed(KEY, 1)
                .entry(INDEX, KEY, 1, false)
                .check(indexed);
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void a_young_key_need_not_be_there_yet() {
        CheckResult result = History.clean()
                .taskRow(KEY, 1, false, "article")
                .outbox(KEY, 1, YOUNG)
                .check(indexed);
        assertThat(result.holds()).isTrue();
        assertThat(result.inFlight()).isEqualTo(1);
    }

    @Test
    void while_the_newest_change_is_young_the_one_before_it_must_be_there() {
        History history = History.clean()
                .taskRow(KEY, 3, false, "article")
                .outbox(KEY, 1, OLD)
                .outbox(KEY, 2, OLD)
                .outbox(KEY, 3, YOUNG)
                .entry(INDEX, KEY, 2, false)
                .entry(REPLICA, KEY, 1, false);
        assertOne(history.check(indexed), STALE, KEY);
    }

    @Test
    void an_older_state_is_stale() {
        CheckResult result =
                two().entry(INDEX, KEY, 2, false).entry(REPLICA, KEY, 1, false).check(indexed);
        assertOne(result, STALE, KEY);
    }

    @Test
    void an_older_state_is_explained_by_a_parked_record() {
        CheckResult result = two().entry(INDEX, KEY, 2, false)
                .entry(REPLICA, KEY, 1, false)
                .parked(KEY, ParkedFact.By.INDEX, 2)
                .check(indexed);
        assertThat(result.holds()).isTrue();
        assertThat(result.explained()).isEqualTo(1);
    }

    @Test
    void a_second_entry_of_one_key_is_a_double() {
        assertOne(History.clean().entry(REPLICA, PROMO, 2, false).check(indexed), DOUBLED, PROMO);
    }

    @Test
    void an_entry_of_an_unknown_key_is_extra() {
        assertOne(History.clean().entry(REPLICA, KEY, 1, false).check(indexed), EXTRA, KEY);
    }

    @Test
    void a_version_that_was_never_committed_is_extra() {
        CheckResult result =
                two().entry(INDEX, KEY, 2, false).entry(REPLICA, KEY, 3, false).check(indexed);
        assertOne(result, EXTRA, KEY);
    }

    @Test
    void a_removed_key_that_came_back_is_untrue() {
        CheckResult result = removed()
                .entry(INDEX, KEY, 2, true)
                .entry(REPLICA, KEY, 2, false)
                .check(indexed);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void a_removed_key_in_its_state_before_the_removal_is_stale() {
        CheckResult result = removed()
                .entry(INDEX, KEY, 2, true)
                .entry(REPLICA, KEY, 1, false)
                .check(indexed);
        assertOne(result, STALE, KEY);
    }

    @Test
    void a_removed_key_needs_no_entry() {
        assertThat(removed().check(indexed).holds()).isTrue();
    }

    @Test
    void another_content_under_the_newest_version_is_untrue() {
        CheckResult result = two().entry(INDEX, KEY, 2, false)
                .entry(new EntryFact(KEY, REPLICA, "dev", 2, false, History.print("another")))
                .check(indexed);
        assertOne(result, UNTRUE, KEY);
    }

    private static History two() {
        return History.clean()
                .taskRow(KEY, 2, false, "article")
                .committed(KEY, 1)
                .committed(KEY, 2);
    }

    private static History removed() {
        return History.clean()
                .taskRow(KEY, 2, true, "article")
                .committed(KEY, 1)
                .committed(KEY, 2);
    }
}
