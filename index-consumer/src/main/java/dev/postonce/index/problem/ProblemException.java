package dev.postonce.index.problem;

import org.springframework.http.HttpStatus;

/** A request is answered with a problem. The text goes to the client: it holds nothing of another tenant. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final HttpStatus status;
    private final String errorCode;

    private ProblemException(HttpStatus status, String errorCode, String detail) {
        super(detail);
        this.status = status;
        this.errorCode = errorCode;
    }

    public static ProblemException badQuery(String detail) {
        return new ProblemException(HttpStatus.BAD_REQUEST, "bad_query", detail);
    }

    /** The same for no key, junk, an unknown key and a revoked one. */
    public static ProblemException unauthorized() {
        return new ProblemException(
                HttpStatus.UNAUTHORIZED, "unauthorized", "Send a valid key as Authorization: Bearer pk_…");
    }

    public static ProblemException forbidden(String scope) {
        return new ProblemException(HttpStatus.FORBIDDEN, "forbidden", "The key lacks the scope " + scope + ".");
    }

    public static ProblemException notReady() {
        return new ProblemException(
                HttpStatus.SERVICE_UNAVAILABLE,
                "not_ready",
                "This instance is still filling its index. Ask again, or ask another instance.");
    }

    public HttpStatus status() {
        return status;
    }

    public String errorCode() {
        return errorCode;
    }

    public boolean retryable() {
        return status == HttpStatus.SERVICE_UNAVAILABLE;
    }
}
