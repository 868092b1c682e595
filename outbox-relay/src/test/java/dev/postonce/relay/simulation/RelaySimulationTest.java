package dev.postonce.relay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The relay's progress under kills, stops, takeovers, lost acknowledgements and late ones, in virtual time. */
@ExtendWith(QuietLogs.class)
class RelaySimulationTest {

    @Test
    void no_seed_loses_invents_or_reorders_an_event() {
        Seeds.each(RelayWorld::run);
    }

    @Test
    void a_seed_replays_to_the_letter() {
        long first = Seeds.run(RelayWorld::run, 4_711);
        for (int again = 0; again < 10; again++) {
            assertThat(Seeds.run(RelayWorld::run, 4_711)).isEqualTo(first);
        }
    }
}
