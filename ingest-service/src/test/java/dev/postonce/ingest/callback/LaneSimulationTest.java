package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.callback.LaneWorld.Sabotage;
import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lane of callbacks under outages, lost answers, kills and workers that stand still, in virtual time. */
@ExtendWith(QuietLogs.class)
class LaneSimulationTest {

    private static final int SEEDS_MAX = 20;

    @Test
    void no_seed_leaves_an_upstream_with_an_older_state_than_the_newest() {
        Seeds.each(LaneWorld::run);
    }

    @Test
    void a_seed_replays_to_the_letter() {
        long first = Seeds.run(LaneWorld::run, 4_711);
        for (int again = 0; again < 10; again++) {
            assertThat(Seeds.run(LaneWorld::run, 4_711)).isEqualTo(first);
        }
    }

    @Test
    void planted_a_callback_that_is_sent_before_its_commit_is_caught() {
        caught("callback before commit", new Sabotage(true, false));
    }

    @Test
    void planted_a_callback_that_is_dropped_rather_than_parked_is_caught() {
        caught("dropped after the last attempt", new Sabotage(false, true));
    }

    @Test
    void a_seed_that_fails_fails_the_same_way_each_time() {
        Sabotage bug = new Sabotage(true, false);
        long seed = Seeds.firstThatFails(simulation -> LaneWorld.run(simulation, bug), SEEDS_MAX)
                .orElseThrow();
        assertThat(Seeds.failuresOf(simulation -> LaneWorld.run(simulation, bug), seed, 10))
                .singleElement()
                .asString()
                .contains("told of what was never committed");
    }

    private static void caught(String bug, Sabotage sabotage) {
        OptionalLong seeds = Seeds.firstThatFails(simulation -> LaneWorld.run(simulation, sabotage), SEEDS_MAX);
        System.out.println("planted: " + bug + ": caught by seed " + seeds);
        assertThat(seeds).as(bug + " within " + SEEDS_MAX + " seeds").isPresent();
    }
}
