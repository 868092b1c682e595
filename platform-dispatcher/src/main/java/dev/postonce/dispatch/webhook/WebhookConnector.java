package dev.postonce.dispatch.webhook;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.WebhookAccount;
import dev.postonce.dispatch.connector.Answers;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.runtime.http.HttpCall;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.SafeHttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The signed webhook. Its receiver dedupes by {@code webhook-id}, so what ended unknown is sent again: the same id
 * and the same body; only the time of sending and the signature over it are new.
 */
public final class WebhookConnector implements Connector {

    private static final int TOO_MANY_REQUESTS = 429;
    /** Less than the five minutes for which receivers take a signature. */
    private static final long APART_S_MAX = 60;

    private final SafeHttpClient http;
    private final InstantSource clock;
    private final Duration window;

    /** @param window for how long receivers remember an id */
    public WebhookConnector(SafeHttpClient http, InstantSource clock, Duration window) {
        this.http = http;
        this.clock = clock;
        this.window = window;
    }

    @Override
    public Platform platform() {
        return Platform.WEBHOOK;
    }

    @Override
    public Recovery recovery() {
        return new Recovery.DedupesByKey(window);
    }

    @Override
    public FrozenRequest freeze(Effect effect, Account account) {
        String id = "msg_" + effect.marker() + "_v" + effect.task().version();
        return new FrozenRequest(
                "POST", ((WebhookAccount) account).url(), "application/json", WebhookBody.of(effect), id, null);
    }

    @Override
    public Outcome send(Job job, Account account, SendGuard guard) {
        WebhookAccount to = (WebhookAccount) account;
        FrozenRequest request = job.request();
        byte[] body = Objects.requireNonNull(request.body(), "a webhook has a body");
        String id = Objects.requireNonNull(request.platformKey(), "a webhook has an id");
        long timestamp = clock.instant().getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", String.valueOf(request.contentType()));
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(timestamp));
        try {
            headers.put("webhook-signature", StandardWebhooks.sign(to.secret(), id, timestamp, body));
        } catch (StandardWebhooks.BadSecretException e) {
            return new Outcome.NotSent("credential_malformed", e.getMessage());
        }
        if (!guard.maySend()) {
            return new Outcome.NotSent("lease_lost", null);
        }
        // To the frozen address, even where the account has moved meanwhile.
        return outcomeOf(http.send(new HttpCall(request.method(), request.url(), headers, body)), job, timestamp);
    }

    private Outcome outcomeOf(HttpOutcome outcome, Job job, long signedAt) {
        if (outcome instanceof HttpOutcome.NotSent notSent) {
            return new Outcome.NotSent(notSent.code(), notSent.detail());
        } else if (outcome instanceof HttpOutcome.Unknown unknown) {
            return new Outcome.Unknown(unknown.code(), unknown.detail());
        }
        HttpOutcome.Answered answer = (HttpOutcome.Answered) outcome;
        int status = answer.status();
        if (answer.isSuccess()) {
            return job.action() == Action.WITHDRAW
                    ? new Outcome.TakenBack(job.marker(), Desired.ARCHIVED)
                    : new Outcome.Published(job.marker(), null, job.taskVersion());
        } else if (status == TOO_MANY_REQUESTS) {
            return new Outcome.RateLimited(Answers.retryAfter(answer, clock.instant()));
        } else if (status >= 500 || status == 408 || status == 425) {
            return new Outcome.Unknown("http_" + status, null);
        } else if (status < 400) {
            return new Outcome.Refused("redirected", "the endpoint answered " + status, null);
        }
        return refused(answer, signedAt);
    }

    /** A signature says when it was made: where the clocks differ it is that which is refused, and not the content. */
    static Outcome refused(HttpOutcome.Answered answer, long signedAt) {
        int status = answer.status();
        if (status == 400 || status == 401 || status == 403) {
            Optional<Long> apart =
                    answer.date().map(date -> date.getEpochSecond() - signedAt).filter(s -> Math.abs(s) > APART_S_MAX);
            if (apart.isPresent()) {
                return new Outcome.NotSent("clocks_differ", "the endpoint's clock is " + apart.get() + " s ahead");
            }
        }
        return new Outcome.Refused(status == 410 ? "endpoint_gone" : "http_" + status, null, null);
    }

    @Override
    public LookUp ask(Job job, Account account) {
        return new LookUp.Inconclusive("cannot_be_asked", null);
    }
}
