package dev.postonce.runtime.http;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known after a request was tried. The difference between {@link NotSent} and {@link Unknown} decides
 * whether a post may be tried again.
 */
public sealed interface HttpOutcome {

    /**
     * The peer answered.
     *
     * @param headers names in lower case
     * @param body at most the policy's limit of bytes
     * @param truncated whether the peer sent more than that
     */
    record Answered(int status, Map<String, List<String>> headers, byte[] body, boolean truncated)
            implements HttpOutcome {

        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        public Optional<String> header(String name) {
            List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
            return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
        }

        /** By the server's clock. What it says of times is to be taken by that one: ours may be wrong by hours. */
        public Optional<Instant> date() {
            try {
                return header("date").map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }

        public String bodyText() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * Certainly no byte of the request left: refused by our own guard, no address, no connection, no TLS.
     *
     * @param code {@code blocked_address}, {@code blocked_url}, {@code no_address}, {@code connect_failed}, {@code tls_failed}
     */
    record NotSent(String code, String detail) implements HttpOutcome {}

    /** The request, or a part of it, may have reached the peer; nobody here knows what it did. */
    record Unknown(String code, String detail) implements HttpOutcome {}
}
