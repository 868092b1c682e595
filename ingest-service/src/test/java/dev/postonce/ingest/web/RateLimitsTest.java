package dev.postonce.ingest.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitsTest {

    private final AtomicLong now = new AtomicLong(-5_000_000_000L);
    private final RateLimits limits = new RateLimits(10, now::get);

    @Test
    void a_bucket_holds_two_seconds_and_fills_at_its_rate() {
        assertThat(admitted("a", 50)).isEqualTo(20);
        pass(Duration.ofMillis(500));
        assertThat(admitted("a", 50)).isEqualTo(5);
        pass(Duration.ofHours(1));
        assertThat(admitted("a", 50)).isEqualTo(20);
    }

    @Test
    void it_says_when_the_next_one_is_let_through() {
        admitted("a", 20);
        Duration wait = limits.take("a", null).orElseThrow().retryAfter();
        assertThat(wait).isBetween(Duration.ofMillis(99), Duration.ofMillis(101));
        pass(wait.plusMillis(1));
        assertThat(limits.take("a", null)).isEmpty();
        admitted("slow", 2, 1);
        assertThat(limits.take("slow", 1).orElseThrow().seconds()).isEqualTo(1);
    }

    @Test
    void each_key_has_its_own_and_a_rate_of_its_own_wins() {
        assertThat(admitted("a", 50)).isEqualTo(20);
        assertThat(admitted("b", 50, 2)).isEqualTo(4);
        assertThat(admitted("c", 50)).isEqualTo(20);
    }

    @Test
    void of_those_over_the_rate_one_a_second_is_marked() {
        admitted("a", 20);
        int marked = 0;
        for (int i = 0; i < 100; i++) {
            marked += limits.take("a", null).orElseThrow().firstOfSecond() ? 1 : 0;
        }
        assertThat(marked).isEqualTo(1);
    }

    @Test
    void no_limit_is_no_limit_and_a_clock_that_seems_to_go_back_gives_nothing() {
        RateLimits open = new RateLimits(0, now::get);
        for (int i = 0; i < 1_000; i++) {
            assertThat(open.take("a", null)).isEmpty();
        }
        admitted("a", 20);
        now.addAndGet(-Duration.ofMinutes(1).toNanos());
        assertThat(limits.take("a", null)).isPresent();
    }

    @Test
    void buckets_of_keys_that_are_gone_are_not_kept_for_ever() {
        for (int i = 0; i < 50_000; i++) {
            limits.take("key-" + i, null);
            pass(Duration.ofSeconds(1));
        }
        assertThat(limits.size()).isLessThanOrEqualTo(10_000);
    }

    private int admitted(String key, int tries) {
        return admitted(key, tries, null);
    }

    private int admitted(String key, int tries, Integer rate) {
        int admitted = 0;
        for (int i = 0; i < tries; i++) {
            admitted += limits.take(key, rate).isEmpty() ? 1 : 0;
        }
        return admitted;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
