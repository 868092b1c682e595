package dev.postonce.dispatch.connector;

import dev.postonce.runtime.http.HttpOutcome.Answered;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Readings of HTTP answers that platforms share. */
public final class Answers {

    private static final Duration RETRY_AFTER_DEFAULT = Duration.ofSeconds(30);
    private static final long RETRY_AFTER_SECONDS_MAX = 86_400;

    private Answers() {}

    /** Seconds, or an HTTP date by the clock of who sent it; half a minute where nothing readable is said. */
    public static Duration retryAfter(Answered answer, Instant now) {
        Optional<String> header = answer.header("retry-after").map(String::strip);
        if (header.isEmpty()) {
            return RETRY_AFTER_DEFAULT;
        }
        String value = header.get();
        if (value.matches("[0-9]{1,9}")) {
            return Duration.ofSeconds(Math.min(Long.parseLong(value), RETRY_AFTER_SECONDS_MAX));
        }
        try {
            Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(answer.date().orElse(now), at);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeException e) {
            return RETRY_AFTER_DEFAULT;
        }
    }
}
