package dev.postonce.ingest.review;

import dev.postonce.ingest.review.JdbcReview.Window;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The review of a tenant's own week. An operator's route: it names what clients did. */
@RestController
public final class ReviewController {

    private static final Set<String> PARAMETERS = Set.of("since", "until", "limit");
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration WINDOW_MAX = Duration.ofDays(92);
    private static final Duration ON_ITS_WAY = Duration.ofHours(1);

    private final JdbcReview review;
    private final InstantSource clock;

    public ReviewController(JdbcReview review, InstantSource clock) {
        this.review = review;
        this.clock = clock;
    }

    @GetMapping("/v1/review")
    ResponseEntity<byte[]> review(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/review");
        Principal caller = exchange.caller(Scope.OPS);
        Map<String, String> query = Queries.of(request, PARAMETERS);
        Instant now = clock.instant();
        Window window = windowOf(query, now);
        int limit = Queries.limit(query);
        ObjectNode body = Answers.begin(exchange)
                .put("since", window.since().toString())
                .put("until", window.until().toString());
        ArrayNode questions = body.putArray("questions");
        long all = 0;
        for (Question question : Question.values()) {
            List<Found> found = review.ask(question, caller.tenantId(), window, now.minus(ON_ITS_WAY), limit);
            long total = found.isEmpty() ? 0 : found.get(0).total();
            all += total;
            show(question, found, total, questions.addObject());
        }
        return Answers.ok(body.put("found", all));
    }

    private static void show(Question question, List<Found> found, long total, ObjectNode node) {
        node.put("question", question.wireName())
                .put("text", question.text())
                .put("text_zh", question.textZh())
                .put("found", total)
                .put("next", question.next());
        ArrayNode entries = node.putArray("entries");
        for (Found one : found) {
            entries.addObject()
                    .put("subject", one.subject())
                    .put("detail", one.detail())
                    .put("at", one.at() == null ? null : one.at().toString());
        }
    }

    private static Window windowOf(Map<String, String> query, Instant now) {
        Instant until = time(query, "until", now);
        Instant since = time(query, "since", until.minus(WEEK));
        if (!since.isBefore(until) || Duration.between(since, until).compareTo(WINDOW_MAX) > 0) {
            throw Refusal.badPayload(
                    "query:since", "must lie before until, by at most " + WINDOW_MAX.toDays() + " days");
        }
        return new Window(since, until);
    }

    private static Instant time(Map<String, String> query, String name, Instant otherwise) {
        @Nullable String value = query.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeException e) {
            throw Refusal.badPayload("query:" + name, "must be a time with an offset, such as 2026-11-11T00:00:00Z");
        }
    }
}
