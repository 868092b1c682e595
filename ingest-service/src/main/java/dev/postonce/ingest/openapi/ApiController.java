package dev.postonce.ingest.openapi;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

/** The interface's description, and a page to try it. Both are public: they tell nothing of any tenant. */
@RestController
public final class ApiController {

    // Nothing from elsewhere, no inline script, in no frame.
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private static final String PREFIX = "/v1";

    private final Supplier<Map<RequestMappingInfo, HandlerMethod>> mapped;
    private final Duration keyRetention;
    private byte @Nullable [] document;

    ApiController(Supplier<Map<RequestMappingInfo, HandlerMethod>> mapped, Duration keyRetention) {
        this.mapped = mapped;
        this.keyRetention = keyRetention;
    }

    @GetMapping("/openapi.json")
    ResponseEntity<byte[]> document() {
        return answer(MediaType.APPLICATION_JSON, bytes());
    }

    @GetMapping("/api")
    ResponseEntity<byte[]> page() {
        return answer(new MediaType("text", "html", StandardCharsets.UTF_8), Yaml.bytes("page.html"));
    }

    @GetMapping("/api/page.js")
    ResponseEntity<byte[]> script() {
        return answer(new MediaType("text", "javascript", StandardCharsets.UTF_8), Yaml.bytes("page.js"));
    }

    @GetMapping("/api/page.css")
    ResponseEntity<byte[]> style() {
        return answer(new MediaType("text", "css", StandardCharsets.UTF_8), Yaml.bytes("page.css"));
    }

    private static ResponseEntity<byte[]> answer(MediaType type, byte[] body) {
        return ResponseEntity.ok()
                .contentType(type)
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-cache")
                .body(body);
    }

    /** Made when it is first asked for: a start has better things to do. */
    private synchronized byte[] bytes() {
        if (document == null) {
            document =
                    ApiDocument.text(new ApiDocument(keyRetention).of(routes())).getBytes(StandardCharsets.UTF_8);
        }
        return document;
    }

    private List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        mapped.get().forEach((info, method) -> info.getMethodsCondition()
                .getMethods()
                .forEach(verb -> info.getPatternValues().stream()
                        .filter(pattern -> pattern.startsWith(PREFIX))
                        .map(pattern -> Route.mapped(verb.name(), pattern))
                        .forEach(routes::add)));
        return routes;
    }
}
