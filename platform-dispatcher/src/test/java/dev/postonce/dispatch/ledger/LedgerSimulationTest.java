package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The effect ledger under kills, stops, lost requests, lost answers, late answers, lost connections and changed minds:
 * the real rules, in virtual time, against platforms that remember everything.
 */
@ExtendWith(QuietLogs.class)
class LedgerSimulationTest {

    @Test
    void no_seed_makes_a_second_post_or_an_untrue_claim_and_all_come_to_rest() {
        Seeds.each(LedgerWorld::run);
    }

    @Test
    void a_seed_replays_to_the_letter() {
        long first = Seeds.run(LedgerWorld::run, 4_711);
        for (int again = 0; again < 10; again++) {
            assertThat(Seeds.run(LedgerWorld::run, 4_711)).isEqualTo(first);
        }
    }
}
