package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

    private static final List<Duration> DELAYS = List.of(
            Duration.ZERO,
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(10));

    private final RetrySchedule schedule = new RetrySchedule(DELAYS, new Random(11));

    @Test
    void each_delay_comes_in_its_turn_with_a_tenth_of_jitter_and_then_none() {
        assertThat(schedule.beforeFirst()).isZero();
        for (int made = 1; made < DELAYS.size(); made++) {
            for (int i = 0; i < 200; i++) {
                assertThat(schedule.after(made, null).orElseThrow().toMillis())
                        .isBetween(
                                DELAYS.get(made).toMillis() * 9 / 10,
                                DELAYS.get(made).toMillis() * 11 / 10);
            }
        }
        assertThat(schedule.after(8, null)).isEmpty();
        assertThat(schedule.after(9, Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void jitter_spreads() {
        assertThat(java.util.stream.IntStream.range(0, 50)
                        .mapToObj(i -> schedule.after(3, null).orElseThrow())
                        .distinct())
                .hasSizeGreaterThan(40);
    }

    @Test
    void what_the_receiver_asks_for_delays_but_never_hurries_and_ends_after_a_day() {
        assertThat(schedule.after(1, Duration.ofMinutes(2))).contains(Duration.ofMinutes(2));
        assertThat(schedule.after(2, Duration.ZERO).orElseThrow()).isGreaterThan(Duration.ofMinutes(4));
        assertThat(schedule.after(1, Duration.ofDays(400))).contains(Duration.ofHours(24));
    }

    @Test
    void settings_that_would_let_two_workers_send_one_lane_are_refused() {
        assertThatThrownBy(() -> new CallbackSettings(
                        DELAYS, Duration.ofSeconds(20), Duration.ofSeconds(25), Duration.ofSeconds(1), 8, 4, Set.of()))
                .hasMessageContaining("POSTONCE_CALLBACK_LEASE");
        assertThatThrownBy(() -> new CallbackSettings(
                        List.of(),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(1),
                        8,
                        4,
                        Set.of()))
                .hasMessageContaining("POSTONCE_CALLBACK_SCHEDULE");
    }
}
