package dev.postonce.index.problem;

import dev.postonce.runtime.Ids;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/** Takes {@code X-Request-Id}, or makes one, and returns it; it stands in every log line of the request. */
public final class RequestIdFilter extends OncePerRequestFilter {

    private static final String HEADER = "X-Request-Id";
    private static final String NAME = "request_id";
    private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final Ids ids;

    public RequestIdFilter(Ids ids) {
        this.ids = ids;
    }

    public static String of(HttpServletRequest request) {
        return request.getAttribute(NAME) instanceof String id ? id : "";
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String given = request.getHeader(HEADER);
        String id = given != null && ACCEPTED.matcher(given).matches()
                ? given
                : ids.next().toString();
        request.setAttribute(NAME, id);
        response.setHeader(HEADER, id);
        MDC.put(NAME, id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(NAME);
        }
    }
}
