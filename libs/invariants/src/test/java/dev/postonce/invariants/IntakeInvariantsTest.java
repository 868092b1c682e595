package dev.postonce.invariants;

import static dev.postonce.invariants.History.GROUP;
import static dev.postonce.invariants.History.NOTE;
import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.PROMO;
import static dev.postonce.invariants.ViolationKind.DOUBLED;
import static dev.postonce.invariants.ViolationKind.EXTRA;
import static dev.postonce.invariants.ViolationKind.MISSING;
import static dev.postonce.invariants.ViolationKind.UNTRUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.RecordFact;
import org.junit.jupiter.api.Test;

class IntakeInvariantsTest {

    private static final AggregateKey LONELY = new AggregateKey(AggregateKey.Kind.TASK, "dev:lonely");

    @Test
    void a_clean_history_holds_for_every_invariant() {
        History history = History.clean().trails().counter(7, 7, 7).held("connections in use", 0, 0);
        assertThat(history.checkAll()).allSatisfy(result -> {
            assertThat(result.violations()).isEmpty();
            assertThat(result.holds()).isTrue();
            assertThat(result.checkedKeys()).isPositive();
        });
    }

    @Test
    void a_row_without_its_event_is_missing_it() {
        CheckResult result = History.clean().taskRow(LONELY, 1, false, "lonely").check(new AtomicIntake());
        assertOne(result, MISSING, LONELY);
    }

    @Test
    void a_row_whose_event_was_archived_but_stands_on_the_topic_is_fine() {
        CheckResult result = History.clean()
                .taskRow(LONELY, 1, false, "lonely")
                .onTopic(LONELY, 1)
                .check(new AtomicIntake());
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void an_event_without_its_row_is_extra() {
        assertOne(History.clean().committed(LONELY, 1).check(new AtomicIntake()), EXTRA, LONELY);
    }

    @Test
    void an_event_ahead_of_its_row_is_untrue() {
        assertOne(History.clean().committed(NOTE, 2).check(new AtomicIntake()), UNTRUE, NOTE);
    }

    @Test
    void a_row_with_another_content_than_its_event_is_untrue() {
        OutboxFact other = new OutboxFact(
                LONELY, History.event(LONELY, 1), 1, OLD, History.data(LONELY, 1), History.print("another"));
        History history = History.clean().taskRow(LONELY, 1, false, "lonely");
        assertOne(history.outbox(other).check(new AtomicIntake()), UNTRUE, LONELY);
    }

    @Test
    void a_second_row_of_one_external_id_is_a_double() {
        CheckResult result =
                History.clean().taskRow(PROMO, 2, false, "another-slug").check(new OneTask());
        assertOne(result, DOUBLED, PROMO);
    }

    @Test
    void a_second_article_under_one_slug_is_a_double() {
        CheckResult result =
                History.clean().taskRow(LONELY, 1, false, "promo-1111").check(new OneTask());
        assertOne(result, DOUBLED, LONELY);
    }

    @Test
    void one_slug_in_two_tenants_is_no_double() {
        CheckResult result = History.clean()
                .taskRow(new AggregateKey(AggregateKey.Kind.TASK, "shop:other"), 1, false, "promo-1111")
                .check(new OneTask());
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void a_second_entry_of_one_group_is_a_double() {
        assertOne(History.clean().groupRow(GROUP, 1).check(new OneTask()), DOUBLED, GROUP);
    }

    @Test
    void a_record_with_the_data_of_another_tenant_is_untrue() {
        CheckResult result = History.clean()
                .onTopic(new RecordFact(PROMO, History.event(PROMO, 2), 2, OLD, 0, 99, History.data(PROMO, 2), "shop"))
                .check(new TenantsAreStrangers());
        assertOne(result, UNTRUE, PROMO);
    }

    @Test
    void an_entry_that_another_tenant_finds_is_untrue() {
        CheckResult result = History.clean()
                .entry(new dev.postonce.invariants.facts.EntryFact(
                        NOTE, History.REPLICA, "dev", 1, false, History.content(NOTE, 1)))
                .check(new TenantsAreStrangers());
        assertOne(result, UNTRUE, NOTE);
    }

    static void assertOne(CheckResult result, ViolationKind kind, Object key) {
        assertThat(result.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.kind()).isEqualTo(kind);
            assertThat(violation.key()).isEqualTo(key.toString());
            assertThat(violation.invariant()).isEqualTo(result.invariant());
            assertThat(violation.explanation()).isNotBlank();
            assertThat(violation.remedy()).isNotBlank();
        });
        assertThat(result.count(kind)).isEqualTo(1);
        assertThat(result.holds()).isFalse();
    }
}
