package dev.postonce.ingest.web;

import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** What is known of a request while it is answered: for its log line, its audit row and its metrics. One thread's. */
public final class Exchange {

    private static final String ATTRIBUTE = Exchange.class.getName();

    private final String requestId;
    private final String method;
    private final @Nullable String traceparent;
    private final long startedNanos;
    private String route;
    private @Nullable Principal principal;
    private RateLimits.@Nullable Wait wait;
    private @Nullable IdempotencyKey idempotencyKey;
    private @Nullable String payloadDigest;
    private @Nullable String externalId;
    private @Nullable String groupRef;
    private @Nullable String slug;
    private @Nullable String language;
    private @Nullable String errorCode;
    private @Nullable Outcome outcome;

    Exchange(String requestId, String method, @Nullable String traceparent, long startedNanos) {
        this.requestId = requestId;
        this.method = method;
        this.traceparent = traceparent;
        this.startedNanos = startedNanos;
        this.route = method + " other";
    }

    /** For a write that is no HTTP request of its own: a line of a batch, a record of the intake topic. */
    public static Exchange ofWrite(String requestId, Principal caller, @Nullable String traceparent) {
        Exchange exchange = new Exchange(requestId, "POST", traceparent, System.nanoTime());
        exchange.called(caller);
        return exchange;
    }

    /** The same before its caller is known. */
    public static Exchange ofWrite(String requestId, @Nullable String traceparent) {
        return new Exchange(requestId, "POST", traceparent, System.nanoTime());
    }

    void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    public static Exchange of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Exchange exchange) {
            return exchange;
        }
        throw new IllegalStateException("RequestFilter is not in front of this route");
    }

    /** The caller, who must have the scope, and a rate that allows it. */
    public Principal caller(Scope scope) {
        if (principal == null) {
            throw Refusal.of(ErrorCode.UNAUTHORIZED, "this route needs an API key");
        }
        if (!principal.may(scope)) {
            throw Refusal.of(ErrorCode.FORBIDDEN, "the key lacks the scope '" + scope.wireName() + "'");
        }
        if (wait != null) {
            throw Refusal.of(ErrorCode.RATE_LIMITED, "the key sends more requests than its rate allows")
                    .after(wait.seconds());
        }
        return principal;
    }

    public void enters(String routeName) {
        this.route = routeName;
    }

    public void called(Principal caller) {
        this.principal = caller;
    }

    /** The request is over its key's rate. It is told so unless its key may not do what it asks for anyway. */
    void mustWait(RateLimits.Wait howLong) {
        this.wait = howLong;
    }

    /** Whether its refusal leaves an audit row: of those over the rate, one a second and key. */
    boolean isAudited() {
        return wait == null || wait.firstOfSecond();
    }

    public void brings(@Nullable IdempotencyKey key, String digest) {
        this.idempotencyKey = key;
        this.payloadDigest = digest;
    }

    public void concernsTask(String id, @Nullable String itsSlug, @Nullable String itsLanguage) {
        this.externalId = id;
        this.slug = itsSlug;
        this.language = itsLanguage;
    }

    public void concernsGroup(String ref) {
        this.groupRef = ref;
    }

    public void ends(Outcome how) {
        this.outcome = how;
    }

    void isRefused(ErrorCode code) {
        this.errorCode = code.wireName();
        this.outcome = switch (code) {
            case STORAGE_FAILED, INTERNAL_ERROR -> Outcome.FAILED;
            case SLUG_CONFLICT,
                    GROUP_CONFLICT,
                    CONTENT_CONFLICT,
                    POSSIBLE_DUPLICATE,
                    VERSION_CONFLICT,
                    IDEMPOTENCY_KEY_REUSED,
                    REQUEST_IN_PROGRESS -> Outcome.CONFLICT;
            default -> Outcome.REFUSED;
        };
    }

    public String requestId() {
        return requestId;
    }

    public String route() {
        return route;
    }

    /** Whether it asks for a change. */
    boolean writes() {
        return !method.equals("GET") && !method.equals("HEAD") && !method.equals("OPTIONS");
    }

    public @Nullable String traceparent() {
        return traceparent;
    }

    long startedNanos() {
        return startedNanos;
    }

    public @Nullable Principal principal() {
        return principal;
    }

    public @Nullable IdempotencyKey idempotencyKey() {
        return idempotencyKey;
    }

    public @Nullable String payloadDigest() {
        return payloadDigest;
    }

    public @Nullable String externalId() {
        return externalId;
    }

    public @Nullable String groupRef() {
        return groupRef;
    }

    @Nullable
    String slug() {
        return slug;
    }

    @Nullable
    String language() {
        return language;
    }

    @Nullable
    String errorCode() {
        return errorCode;
    }

    public @Nullable Outcome outcome() {
        return outcome;
    }
}
