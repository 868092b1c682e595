package dev.postonce.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BeliefTest {

    private final Instant now = Instant.parse("2026-11-30T03:00:00Z");
    private final Belief belief = Belief.of(now, Duration.ofSeconds(10));

    @Test
    void holds_from_its_beginning_until_its_end() {
        assertThat(belief.holdsAt(now)).isTrue();
        assertThat(belief.holdsAt(now.plusSeconds(9))).isTrue();
        assertThat(belief.holdsAt(now.plusSeconds(10))).isFalse();
    }

    @Test
    void does_not_hold_for_hours_because_the_clock_was_set_back() {
        assertThat(belief.holdsAt(now.minusMillis(1))).isFalse();
        assertThat(belief.holdsAt(now.minusSeconds(7200))).isFalse();
    }
}
