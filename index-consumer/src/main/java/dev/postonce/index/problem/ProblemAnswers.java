package dev.postonce.index.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Turns exceptions into RFC 9457 problems with {@code error_code} and {@code retryable}. */
@RestControllerAdvice
public final class ProblemAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAnswers.class);
    private static final String RETRY_AFTER_S = "2";

    /** The body of every error. */
    public record Problem(
            URI type,
            String title,
            int status,
            String detail,
            boolean ok,
            String errorCode,
            boolean retryable,
            String requestId) {}

    @ExceptionHandler(ProblemException.class)
    ResponseEntity<Problem> ofOurs(ProblemException e, HttpServletRequest request) {
        return answer(e.status(), e.errorCode(), String.valueOf(e.getMessage()), e.retryable(), request);
    }

    @ExceptionHandler({DataAccessException.class, TransactionException.class})
    ResponseEntity<Problem> ofStorage(RuntimeException e, HttpServletRequest request) {
        LOG.warn("storage failed while answering", e);
        return answer(HttpStatus.SERVICE_UNAVAILABLE, "storage_failed", "The storage does not answer.", true, request);
    }

    @ExceptionHandler(NoResourceFoundException.class)
    ResponseEntity<Problem> ofUnknownPath(NoResourceFoundException e, HttpServletRequest request) {
        return answer(HttpStatus.NOT_FOUND, "not_found", "There is nothing at this path.", false, request);
    }

    @ExceptionHandler(HttpRequestMethodNotSupportedException.class)
    ResponseEntity<Problem> ofMethod(HttpRequestMethodNotSupportedException e, HttpServletRequest request) {
        return answer(HttpStatus.METHOD_NOT_ALLOWED, "method_not_allowed", "This path takes GET only.", false, request);
    }

    @ExceptionHandler(Exception.class)
    ResponseEntity<Problem> ofUnexpected(Exception e, HttpServletRequest request) {
        LOG.error("unexpected, the request was answered with 500", e);
        return answer(
                HttpStatus.INTERNAL_SERVER_ERROR, "internal", "Something unexpected happened here.", true, request);
    }

    private static ResponseEntity<Problem> answer(
            HttpStatus status, String code, String detail, boolean retryable, HttpServletRequest request) {
        Problem problem = new Problem(
                URI.create("urn:postonce:problem:" + code),
                status.getReasonPhrase(),
                status.value(),
                detail,
                false,
                code,
                retryable,
                RequestIdFilter.of(request));
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S);
        }
        if (status == HttpStatus.UNAUTHORIZED) {
            answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return answer.contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem);
    }
}
