package dev.postonce.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {

    private final RestartPolicy policy =
            new RestartPolicy(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(60));

    @Test
    void the_first_death_is_hardly_waited_for() {
        assertThat(policy.delay(1)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void each_death_in_a_row_doubles_the_wait_up_to_the_longest() {
        assertThat(policy.delay(2)).isEqualTo(Duration.ofMillis(400));
        assertThat(policy.delay(4)).isEqualTo(Duration.ofMillis(1600));
        assertThat(policy.delay(7)).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void a_part_that_lived_long_enough_begins_anew() {
        assertThat(policy.deathsInARow(5, Duration.ofSeconds(59))).isEqualTo(6);
        assertThat(policy.deathsInARow(5, Duration.ofSeconds(60))).isEqualTo(1);
    }

    @Test
    void a_clock_that_was_set_back_keeps_nothing_down() {
        Instant notBefore = Instant.parse("2026-11-30T03:00:10Z");
        assertThat(policy.isOver(notBefore, notBefore)).isTrue();
        assertThat(policy.isOver(notBefore, notBefore.minusMillis(1))).isFalse();
        assertThat(policy.isOver(notBefore, notBefore.minusSeconds(10))).isFalse();
        assertThat(policy.isOver(notBefore, notBefore.minusSeconds(7200))).isTrue();
    }
}
