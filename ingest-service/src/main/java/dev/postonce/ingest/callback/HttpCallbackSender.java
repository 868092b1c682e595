package dev.postonce.ingest.callback;

import dev.postonce.ingest.callback.DeliveryOutcome.Delivered;
import dev.postonce.ingest.callback.DeliveryOutcome.Failed;
import dev.postonce.ingest.callback.DeliveryOutcome.Gone;
import dev.postonce.ingest.callback.DeliveryOutcome.Hopeless;
import dev.postonce.runtime.FailPoint;
import dev.postonce.runtime.Secret;
import dev.postonce.runtime.http.HttpCall;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Signs a callback and posts it. */
final class HttpCallbackSender implements CallbackSender {

    private static final int GONE = 410;
    private static final int SECONDS_DIGITS_MAX = 9;

    private final SafeHttpClient http;
    private final JdbcCallbackSecrets secrets;
    private final InstantSource clock;

    HttpCallbackSender(SafeHttpClient http, JdbcCallbackSecrets secrets, InstantSource clock) {
        this.http = http;
        this.secrets = secrets;
        this.clock = clock;
    }

    @Override
    public DeliveryOutcome send(Lane lane, DueCallback callback) {
        if (callback.endpointGone()) {
            return new Hopeless("endpoint_gone");
        }
        URI url = uriOf(callback.url());
        if (url == null) {
            return new Hopeless("no_callback_url");
        }
        byte[] body = callback.body().getBytes(StandardCharsets.UTF_8);
        long timestamp = clock.instant().getEpochSecond();
        String signature;
        try {
            List<Secret> keys = secrets.of(lane.tenantId());
            if (keys.isEmpty()) {
                // Not hopeless: the tenant may be given one before the last attempt.
                return new Failed("no_callback_secret", null, null);
            }
            signature = WebhookSignature.of(keys, callback.webhookId(), timestamp, body);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return new Failed("unusable_callback_secret", null, null);
        }
        HttpOutcome outcome = http.send(HttpCall.post(
                url,
                Map.of(
                        "content-type",
                        "application/json",
                        "webhook-id",
                        callback.webhookId(),
                        "webhook-timestamp",
                        Long.toString(timestamp),
                        "webhook-signature",
                        signature),
                body));
        FailPoint.hit("ingest.after-callback-sent-before-response");
        return judge(outcome);
    }

    private DeliveryOutcome judge(HttpOutcome outcome) {
        if (outcome instanceof HttpOutcome.Answered answer) {
            if (answer.isSuccess()) {
                return new Delivered(answer.status());
            }
            return answer.status() == GONE
                    ? new Gone()
                    : new Failed(
                            "status_" + answer.status() / 100 + "xx",
                            answer.status(),
                            retryAfter(
                                    answer.header("retry-after").orElse(null),
                                    answer.date().orElseGet(clock::instant)));
        }
        if (outcome instanceof HttpOutcome.NotSent notSent) {
            return notSent.code().equals("blocked_url")
                    ? new Hopeless("blocked_url")
                    : new Failed(notSent.code(), null, null);
        }
        return new Failed(((HttpOutcome.Unknown) outcome).code(), null, null);
    }

    /** Seconds, or a date of HTTP; anything else is as if it were not there. */
    private static @Nullable Duration retryAfter(@Nullable String value, Instant saidAt) {
        if (value == null) {
            return null;
        }
        String text = value.trim();
        if (text.matches("[0-9]{1," + SECONDS_DIGITS_MAX + "}")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            Duration wait = Duration.between(saidAt, until);
            return wait.isNegative() ? null : wait;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable URI uriOf(@Nullable String url) {
        try {
            return url == null ? null : new URI(url);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
