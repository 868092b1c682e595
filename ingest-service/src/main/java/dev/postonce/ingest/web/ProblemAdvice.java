package dev.postonce.ingest.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** One form for every refusal of a route, the frame's own included. */
@RestControllerAdvice
public final class ProblemAdvice {

    private final Refusals refusals;

    public ProblemAdvice(Refusals refusals) {
        this.refusals = refusals;
    }

    @ExceptionHandler
    ResponseEntity<byte[]> any(HttpServletRequest request, Exception error) {
        return refusals.answer(Exchange.of(request), error);
    }

    /** The error page of an answer that had begun when its client went away: nobody would read it. */
    @ExceptionHandler
    @Nullable
    ResponseEntity<byte[]> unwritable(
            HttpServletRequest request, HttpServletResponse response, HttpMessageNotWritableException error) {
        return response.isCommitted() ? null : refusals.answer(Exchange.of(request), error);
    }

    @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
    ResponseEntity<byte[]> unknownRoute(HttpServletRequest request) {
        return refusals.answer(Exchange.of(request), Refusal.of(ErrorCode.NOT_FOUND, "there is no such route"));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> wrongMethod(HttpServletRequest request, HttpRequestMethodNotSupportedException error) {
        HttpHeaders headers = new HttpHeaders();
        if (error.getSupportedHttpMethods() != null) {
            headers.setAllow(error.getSupportedHttpMethods());
        }
        ResponseEntity<byte[]> answer = refusals.answer(
                Exchange.of(request),
                Refusal.of(ErrorCode.METHOD_NOT_ALLOWED, "this route does not take that method")
                        .with(
                                "allowed",
                                headers.getAllow().stream()
                                        .map(HttpMethod::name)
                                        .toList()));
        headers.addAll(answer.getHeaders());
        return new ResponseEntity<>(answer.getBody(), headers, answer.getStatusCode());
    }

    @ExceptionHandler
    ResponseEntity<byte[]> wrongMedia(HttpServletRequest request, HttpMediaTypeNotSupportedException error) {
        return refusals.answer(
                Exchange.of(request),
                Refusal.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json in UTF-8"));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> notAcceptable(HttpServletRequest request, HttpMediaTypeNotAcceptableException error) {
        return refusals.answer(
                Exchange.of(request), Refusal.of(ErrorCode.NOT_ACCEPTABLE, "this route answers in JSON"));
    }
}
