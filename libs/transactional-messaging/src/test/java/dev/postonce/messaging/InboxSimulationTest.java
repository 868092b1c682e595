package dev.postonce.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.messaging.InboxWorld.Sabotage;
import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The inbox and its gate under copies, late copies, crashes, stops and rebalances, in virtual time. */
@ExtendWith(QuietLogs.class)
class InboxSimulationTest {

    private static final int SEEDS_MAX = 20;

    @Test
    void no_seed_brings_an_older_state_back_or_skips_the_newest() {
        Seeds.each(InboxWorld::run);
    }

    @Test
    void a_seed_replays_to_the_letter() {
        long first = Seeds.run(InboxWorld::run, 4_711);
        for (int again = 0; again < 10; again++) {
            assertThat(Seeds.run(InboxWorld::run, 4_711)).isEqualTo(first);
        }
    }

    @Test
    void planted_a_gate_that_lets_everything_pass_is_caught() {
        caught("no version gate", new Sabotage(true, true, false, false));
    }

    @Test
    void planted_a_watermark_that_is_written_without_comparing_is_caught() {
        caught("watermark without compare-and-set", new Sabotage(false, true, false, false));
    }

    @Test
    void planted_an_offset_that_is_committed_before_the_write_is_caught() {
        caught("offset before write", new Sabotage(false, false, true, false));
    }

    @Test
    void planted_a_memory_that_mixes_tenants_is_caught() {
        caught("memory by id without tenant", new Sabotage(false, false, false, true));
    }

    private static void caught(String bug, Sabotage sabotage) {
        OptionalLong seeds = Seeds.firstThatFails(simulation -> InboxWorld.run(simulation, sabotage), SEEDS_MAX);
        System.out.println("planted: " + bug + ": caught by seed " + seeds);
        assertThat(seeds).as(bug + " within " + SEEDS_MAX + " seeds").isPresent();
    }
}
