package dev.postonce.ingest.web;

import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.tenant.Authenticator;
import dev.postonce.ingest.tenant.Authenticator.Caller;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.runtime.Ids;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.http.ResponseEntity;
import org.springframework.web.filter.OncePerRequestFilter;

/** In front of every route: a request id; under {@code /v1} also a known caller, one log line, one count. */
public final class RequestFilter extends OncePerRequestFilter {

    public static final String REQUEST_ID = "X-Request-Id";

    private static final Logger LOG = LoggerFactory.getLogger("dev.postonce.ingest.request");
    private static final Pattern REQUEST_ID_FORM = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
    private static final Pattern TRACEPARENT_FORM = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final double NANOS_A_MS = 1e6;

    private final Authenticator authenticator;
    private final RateLimits rates;
    private final Refusals refusals;
    private final IntakeMetrics metrics;
    private final Ids ids;

    public RequestFilter(
            Authenticator authenticator, RateLimits rates, Refusals refusals, IntakeMetrics metrics, Ids ids) {
        this.authenticator = authenticator;
        this.rates = rates;
        this.refusals = refusals;
        this.metrics = metrics;
        this.ids = ids;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Exchange exchange =
                new Exchange(requestIdOf(request), request.getMethod(), traceparentOf(request), System.nanoTime());
        exchange.attachTo(request);
        response.setHeader(REQUEST_ID, exchange.requestId());
        try {
            if (isIntake(request) && !PublicRoutes.has(request.getMethod(), request.getServletPath())) {
                admit(request, exchange);
            }
            goOn(exchange, request, response, chain);
        } catch (IOException e) {
            // The client is gone; there is nobody to answer.
            throw e;
        } catch (ServletException | RuntimeException e) {
            if (!response.isCommitted()) {
                write(refusals.answer(exchange, e), response);
            }
        } finally {
            if (isIntake(request) && request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new Afterwards(() -> tell(exchange, response.getStatus())));
            } else if (isIntake(request)) {
                tell(exchange, response.getStatus());
            }
        }
    }

    /** As the caller's tenant, where there is one: the database shows the thread no other's rows. */
    private static void goOn(
            Exchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable Principal caller = exchange.principal();
        if (caller == null) {
            chain.doFilter(request, response);
            return;
        }
        try (TenantScope scope = TenantScope.enter(caller.tenantId())) {
            chain.doFilter(request, response);
        }
    }

    /** For an answer that goes on after its thread went back. */
    private record Afterwards(Runnable tell) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            tell.run();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    /** Judged by the decoded path, as the routes are; health and metrics need no key and no log line. */
    private static boolean isIntake(HttpServletRequest request) {
        return request.getServletPath().startsWith("/v1");
    }

    private void admit(HttpServletRequest request, Exchange exchange) {
        Optional<Caller> caller = authenticator.call(request.getHeader("Authorization"));
        Caller known = caller.orElseThrow(() -> Refusal.of(
                ErrorCode.UNAUTHORIZED, "the Authorization header brings no valid API key: 'Bearer pk_…' is needed"));
        exchange.called(known.principal());
        rates.take(known.principal().keyId(), known.ratePerSecond()).ifPresent(exchange::mustWait);
    }

    private static void write(ResponseEntity<byte[]> answer, HttpServletResponse response) throws IOException {
        response.resetBuffer();
        response.setStatus(answer.getStatusCode().value());
        answer.getHeaders().forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
        byte[] body = Objects.requireNonNullElse(answer.getBody(), new byte[0]);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private String requestIdOf(HttpServletRequest request) {
        @Nullable String given = request.getHeader(REQUEST_ID);
        return given != null && REQUEST_ID_FORM.matcher(given).matches()
                ? given
                : ids.next().toString();
    }

    private static @Nullable String traceparentOf(HttpServletRequest request) {
        @Nullable String given = request.getHeader("traceparent");
        return given != null && TRACEPARENT_FORM.matcher(given).matches() ? given : null;
    }

    private void tell(Exchange exchange, int status) {
        long elapsedNanos = System.nanoTime() - exchange.startedNanos();
        Outcome outcome = Objects.requireNonNullElse(
                exchange.outcome(), status < 400 ? Outcome.READ : status < 500 ? Outcome.REFUSED : Outcome.FAILED);
        metrics.answered(exchange.route(), outcome, elapsedNanos);
        LoggingEventBuilder line = LOG.atInfo()
                .addKeyValue("request_id", exchange.requestId())
                .addKeyValue("route", exchange.route())
                .addKeyValue("status_code", status)
                .addKeyValue("elapsed_ms", Math.round(elapsedNanos / NANOS_A_MS * 10) / 10.0)
                .addKeyValue("outcome", outcome.wireName());
        @Nullable Principal caller = exchange.principal();
        @Nullable IdempotencyKey key = exchange.idempotencyKey();
        line = add(line, "tenant_id", caller == null ? null : caller.tenantId());
        line = add(line, "client_id", caller == null ? null : caller.clientId());
        line = add(line, "idempotency_key", key == null ? null : key.prefix());
        line = add(line, "external_id", exchange.externalId());
        line = add(line, "group", exchange.groupRef());
        line = add(line, "slug", exchange.slug());
        line = add(line, "language", exchange.language());
        line = add(line, "error_code", exchange.errorCode());
        line.log("{} {} {}", exchange.route(), status, outcome.wireName());
    }

    private static LoggingEventBuilder add(LoggingEventBuilder line, String name, @Nullable String value) {
        return value == null ? line : line.addKeyValue(name, value);
    }
}
