package dev.postonce.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header: seconds, or a date (RFC 9110, 10.2.3). */
final class RetryAfter {

    private static final int DIGITS_MAX = 9;

    private RetryAfter() {}

    /** Null for a header that is neither. A date in the past is zero. */
    static @Nullable Duration parse(String value, Instant now) {
        String text = value.strip();
        if (text.matches("\\d{1," + DIGITS_MAX + "}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
