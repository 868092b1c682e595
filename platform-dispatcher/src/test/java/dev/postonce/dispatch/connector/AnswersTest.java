package dev.postonce.dispatch.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.runtime.http.HttpOutcome.Answered;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final String DATE = "Mon, 30 Nov 2026 12:00:00 GMT";
    private static final String TWO_MINUTES_LATER = "Mon, 30 Nov 2026 12:02:00 GMT";

    @Test
    void seconds_and_dates_are_obeyed_and_what_is_unreadable_is_half_a_minute() {
        assertThat(wait(Map.of("retry-after", List.of("7")), NOON)).isEqualTo(Duration.ofSeconds(7));
        assertThat(wait(Map.of("retry-after", List.of(TWO_MINUTES_LATER)), NOON))
                .isEqualTo(Duration.ofMinutes(2));
        assertThat(wait(Map.of("retry-after", List.of(DATE)), NOON.plusSeconds(1)))
                .isZero();
        assertThat(wait(Map.of("retry-after", List.of("soon")), NOON)).isEqualTo(Duration.ofSeconds(30));
        assertThat(wait(Map.of(), NOON)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void a_date_is_taken_by_the_clock_of_who_sent_it_and_ours_may_be_wrong_by_hours() {
        Map<String, List<String>> headers = Map.of("retry-after", List.of(TWO_MINUTES_LATER), "date", List.of(DATE));
        for (Duration wrong : List.of(Duration.ofHours(-1), Duration.ZERO, Duration.ofHours(2))) {
            assertThat(wait(headers, NOON.plus(wrong))).as("wrong by " + wrong).isEqualTo(Duration.ofMinutes(2));
        }
        assertThat(wait(Map.of("retry-after", List.of(TWO_MINUTES_LATER), "date", List.of("noon")), NOON))
                .isEqualTo(Duration.ofMinutes(2));
    }

    private static Duration wait(Map<String, List<String>> headers, Instant now) {
        return Answers.retryAfter(new Answered(429, headers, new byte[0], false), now);
    }
}
