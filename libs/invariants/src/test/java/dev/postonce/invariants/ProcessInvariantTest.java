package dev.postonce.invariants;

import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.YOUNG;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What processes tell of themselves, with histories that must be rejected. */
class ProcessInvariantTest {

    private static void rejects(Invariant invariant, History history, ViolationKind kind) {
        assertThat(history.check(invariant).violations()).singleElement().satisfies(violation -> {
            assertThat(violation.kind()).isEqualTo(kind);
            assertThat(violation.key()).contains("http://127.0.0.1:80");
            assertThat(violation.remedy()).isNotBlank();
        });
    }

    @Test
    void meters_that_agree_and_resources_that_came_back_are_clean() {
        History history = History.clean()
                .gauge(3, 3, OLD)
                .counter(7, 7, 7)
                .counter(7, 5, 9)
                .held("connections waited for", 0, 0);
        assertThat(history.checkAll()).allMatch(CheckResult::holds);
        assertThat(history.check(new TruthfulMeters()).checkedKeys()).isEqualTo(3);
        assertThat(history.check(new ResourcesComeBack()).checkedKeys()).isEqualTo(1);
    }

    @Test
    void I13_a_gauge_that_stood_still_while_the_rows_went_on() {
        rejects(new TruthfulMeters(), History.empty().gauge(3, 4, OLD), ViolationKind.STALE);
        rejects(new TruthfulMeters(), History.empty().gauge(Double.NaN, 4, OLD), ViolationKind.STALE);
        CheckResult young = History.empty().gauge(3, 4, YOUNG).check(new TruthfulMeters());
        assertThat(young.holds()).isTrue();
        assertThat(young.inFlight()).isEqualTo(1);
    }

    @Test
    void I13_a_counter_that_invents_and_one_that_misses() {
        rejects(new TruthfulMeters(), History.empty().counter(8, 0, 7), ViolationKind.UNTRUE);
        rejects(new TruthfulMeters(), History.empty().counter(4, 5, 7), ViolationKind.MISSING);
    }

    @Test
    void I14_a_connection_that_was_kept_and_files_that_grow() {
        rejects(new ResourcesComeBack(), History.empty().held("connections in use", 1, 0), ViolationKind.EXTRA);
        rejects(new ResourcesComeBack(), History.empty().held("open files", 950, 900), ViolationKind.EXTRA);
    }
}
