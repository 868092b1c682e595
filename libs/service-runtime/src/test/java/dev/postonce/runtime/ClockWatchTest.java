package dev.postonce.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockWatchTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> told = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-30T03:00:00Z");
    private final ClockWatch watch =
            new ClockWatch(() -> now, List.of(() -> told.add("first"), () -> told.add("then")));

    @Test
    void a_clock_that_goes_as_time_does_is_nothing() {
        for (int i = 0; i < 10_000; i++) {
            lookAfter(SECOND);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void a_step_back_is_told_once_to_each_in_their_order() {
        lookAfter(SECOND);
        lookAfter(HOUR.negated());
        lookAfter(SECOND);
        lookAfter(SECOND);
        assertThat(told).containsExactly("first", "then");
    }

    @Test
    void a_step_forward_is_not_told_and_the_way_back_is() {
        lookAfter(HOUR.multipliedBy(2));
        assertThat(told).as("forward").isEmpty();
        lookAfter(HOUR.multipliedBy(-2).plus(SECOND));
        assertThat(told).as("back").hasSize(2);
    }

    @Test
    void each_step_back_is_told() {
        lookAfter(HOUR.negated());
        lookAfter(HOUR.negated());
        lookAfter(HOUR.multipliedBy(3));
        lookAfter(HOUR.negated());
        assertThat(told).hasSize(6);
    }

    @Test
    void small_steps_back_add_up() {
        Duration step = Duration.ofMillis(-900);
        lookAfter(step);
        lookAfter(step);
        assertThat(told).as("1.8 s").isEmpty();
        lookAfter(step);
        assertThat(told).as("2.7 s").hasSize(2);
    }

    @Test
    void time_that_is_slewed_or_stands_still_is_nothing() {
        // chronyd slows the clock by a twelfth at most; a guest's clock may stop for a while.
        for (int i = 0; i < 10_000; i++) {
            lookAfter(SECOND.minus(SECOND.dividedBy(12)));
        }
        for (int i = 0; i < 100; i++) {
            lookAfter(Duration.ZERO);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void a_process_that_stood_still_for_hours_has_seen_no_step() {
        lookAfter(SECOND);
        lookAfter(HOUR.multipliedBy(8));
        // Set back by half an hour meanwhile: still later than anything that anybody has read.
        lookAfter(HOUR.minus(Duration.ofMinutes(30)));
        assertThat(told).isEmpty();
    }

    @Test
    void who_fails_holds_up_nobody() {
        Instant[] time = {now};
        ClockWatch failing = new ClockWatch(
                () -> time[0],
                List.of(
                        () -> {
                            throw new IllegalStateException("no");
                        },
                        () -> told.add("then")));
        time[0] = now.minus(HOUR);
        failing.look();
        time[0] = now.minus(HOUR).minus(HOUR);
        failing.look();
        assertThat(told).containsExactly("then", "then");
    }

    private void lookAfter(Duration time) {
        now = now.plus(time);
        watch.look();
    }
}
