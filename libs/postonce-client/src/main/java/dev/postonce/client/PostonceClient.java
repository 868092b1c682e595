package dev.postonce.client;

import dev.postonce.client.SubmitResult.Created;
import dev.postonce.client.SubmitResult.GaveUp;
import dev.postonce.client.SubmitResult.Last;
import dev.postonce.client.SubmitResult.Refused;
import dev.postonce.client.SubmitResult.Replayed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Submits, and goes on until the service has said yes or no. A try without an answer is repeated under the same
 * {@code Idempotency-Key}, which makes that safe; of the answers only those are tried again that say
 * {@code "retryable": true}, ask for it with {@code Retry-After}, or are a 5xx that says nothing. A 4xx is never
 * repeated of the client's own accord.
 *
 * <p>Safe for use by many threads.
 */
public final class PostonceClient implements AutoCloseable {

    /** A batch may take so many times as long as a single submission. */
    private static final int BATCH_PATIENCE = 10;

    private static final int HTTP_OK = 200;
    private static final int HTTP_CREATED = 201;
    private static final int HTTP_CLIENT_ERROR = 400;
    private static final int HTTP_SERVER_ERROR = 500;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** What to do after one try. */
    private sealed interface Step {

        record Done(SubmitResult result) implements Step {}

        /** @param asked what the server asked for; null where it asked for nothing */
        record Again(Last last, @Nullable Duration asked) implements Step {}
    }

    private final String apiUrl;
    private final String apiKey;
    private final RetryPolicy policy;
    private final HttpClient http;
    private final Clock clock;
    private final RandomGenerator random;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param apiUrl such as {@code http://127.0.0.1:8080} */
    public PostonceClient(String apiUrl, String apiKey, RetryPolicy policy) {
        this(apiUrl, apiKey, policy, Clock.systemUTC(), RandomGenerator.getDefault());
    }

    PostonceClient(String apiUrl, String apiKey, RetryPolicy policy, Clock clock, RandomGenerator random) {
        this.apiUrl = apiUrl.endsWith("/") ? apiUrl.substring(0, apiUrl.length() - 1) : apiUrl;
        this.apiKey = apiKey;
        this.policy = policy;
        this.clock = clock;
        this.random = random;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(policy.answerTimeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * @param body a task as JSON
     * @param idempotencyKey kept over all tries; null lets the service derive one from the content
     */
    public SubmitResult submitTask(String body, @Nullable String idempotencyKey) throws InterruptedException {
        return submit("/v1/tasks", body, idempotencyKey);
    }

    /**
     * Submits many tasks in one request. Lines that it did not answer for good, because the service or the connection
     * failed, are then submitted one by one under the same keys, which makes that safe.
     *
     * @param lines at most as many as the service takes in one batch
     * @return a result for each line, in their order
     */
    public List<SubmitResult> submitTasks(List<BatchLine> lines) throws InterruptedException {
        Map<Integer, SubmitResult> settled = BatchAnswers.settled(batch(lines));
        List<SubmitResult> results = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            @Nullable SubmitResult result = settled.get(i + 1);
            results.add(
                    result != null
                            ? result
                            : submitTask(lines.get(i).body(), lines.get(i).idempotencyKey()));
        }
        return results;
    }

    /** The answer as far as it came. */
    private String batch(List<BatchLine> lines) throws InterruptedException {
        StringBuilder body = new StringBuilder();
        for (BatchLine line : lines) {
            @Nullable String text = BatchAnswers.line(line);
            // A blank line keeps the numbers, and is not answered.
            body.append(text == null ? "" : text).append('\n');
        }
        HttpRequest request = request("/v1/tasks:batch", null)
                .setHeader("Content-Type", "application/x-ndjson")
                .timeout(policy.answerTimeout().multipliedBy(BATCH_PATIENCE))
                .POST(bytesOf(body.toString()))
                .build();
        StringBuilder answered = new StringBuilder();
        try {
            HttpResponse<Stream<String>> answer = http.send(request, HttpResponse.BodyHandlers.ofLines());
            if (answer.statusCode() == HTTP_OK) {
                answer.body().forEach(line -> answered.append(line).append('\n'));
            }
        } catch (IOException | UncheckedIOException e) {
            // What was answered before it broke counts; the rest is asked again, line by line.
            return answered.toString();
        }
        return answered.toString();
    }

    /** @param body a group as JSON */
    public SubmitResult submitGroup(String body, @Nullable String idempotencyKey) throws InterruptedException {
        return submit("/v1/groups", body, idempotencyKey);
    }

    /**
     * Asks what there is to say of a task before it is submitted; nothing is stored.
     *
     * @param body a task as JSON
     * @return {@link Replayed} with the findings, {@link Refused} where the body is not even a JSON object
     */
    public SubmitResult checkTask(String body) throws InterruptedException {
        return submit("/v1/tasks:check", body, null);
    }

    /**
     * Replaces the article of a task.
     *
     * @param body the whole article as JSON
     * @param version that it is meant for; with another one there, nothing changes
     */
    public SubmitResult updateTask(String externalId, String body, long version, @Nullable String idempotencyKey)
            throws InterruptedException {
        return untilAnswered(request("/v1/tasks/" + externalId, idempotencyKey)
                .header("If-Match", "\"" + version + "\"")
                .PUT(bytesOf(body)));
    }

    /**
     * Takes a task back, or revives it.
     *
     * @param action {@code withdraw} or {@code restore}
     * @param body as JSON; of a restoration it may be empty
     * @param version that it is meant for; null for whichever is there
     */
    public SubmitResult changeStatus(
            String externalId, String action, String body, @Nullable Long version, @Nullable String idempotencyKey)
            throws InterruptedException {
        HttpRequest.Builder request = request("/v1/tasks/" + externalId + "/" + action, idempotencyKey);
        if (version != null) {
            request.header("If-Match", "\"" + version + "\"");
        }
        return untilAnswered(request.POST(bytesOf(body)));
    }

    /**
     * Reads.
     *
     * @param path with its query, such as {@code /v1/tasks/a-1}
     * @return {@link Replayed} with what is there, {@link Refused} where there is nothing
     */
    public SubmitResult read(String path) throws InterruptedException {
        return untilAnswered(request(path, null).GET());
    }

    /** Ends waiting calls; they give up. */
    @Override
    public void close() {
        closed.countDown();
    }

    private SubmitResult submit(String path, String body, @Nullable String idempotencyKey) throws InterruptedException {
        return untilAnswered(request(path, idempotencyKey).POST(bytesOf(body)));
    }

    private SubmitResult untilAnswered(HttpRequest.Builder builder) throws InterruptedException {
        HttpRequest request = builder.build();
        int tries = 0;
        while (true) {
            tries++;
            Step step = once(request, tries);
            if (step instanceof Step.Done done) {
                return done.result();
            }
            Step.Again again = (Step.Again) step;
            Duration wait = again.asked() == null ? policy.delayAfter(tries, random) : again.asked();
            boolean tooLong = again.asked() != null && again.asked().compareTo(policy.retryAfterMax()) > 0;
            if (tries >= policy.triesMax() || tooLong || closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                return new GaveUp(again.last(), tries);
            }
        }
    }

    private HttpRequest.Builder request(String path, @Nullable String idempotencyKey) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(apiUrl + path))
                .timeout(policy.answerTimeout())
                .header("Authorization", "Bearer " + apiKey)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, application/problem+json");
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        return request;
    }

    private static HttpRequest.BodyPublisher bytesOf(String body) {
        return HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8);
    }

    private Step once(HttpRequest request, int tries) throws InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Whether it was accepted is not known; the same submission again tells.
            String message = e.getMessage();
            return new Step.Again(
                    new Last(null, e.getClass().getSimpleName() + (message == null ? "" : ": " + message)), null);
        }
        int status = answer.statusCode();
        if (status < HTTP_CLIENT_ERROR) {
            return accepted(answer, tries);
        }
        Problem problem = Problem.of(status, answer.body());
        Duration wait = answer.headers()
                .firstValue("Retry-After")
                .map(value -> RetryAfter.parse(value, clock.instant()))
                .orElse(null);
        return mayBeRepeated(problem, wait)
                ? new Step.Again(new Last(problem, null), wait)
                : new Step.Done(new Refused(problem, tries));
    }

    private static Step accepted(HttpResponse<String> answer, int tries) {
        JsonNode resource;
        try {
            resource = MAPPER.readTree(answer.body());
        } catch (JacksonException e) {
            resource = MAPPER.nullNode();
        }
        int status = answer.statusCode();
        if (!resource.isObject() || (status != HTTP_OK && status != HTTP_CREATED)) {
            // No service of ours answers so: a captive portal, a redirect, another server on this port.
            Problem odd = new Problem(
                    status,
                    "not_a_postonce_answer",
                    "is this the address of ingest-service?",
                    false,
                    null,
                    java.util.List.of());
            return new Step.Done(new Refused(odd, tries));
        }
        boolean replay = resource.path("idempotent_replay").asBoolean(status == HTTP_OK);
        return new Step.Done(replay ? new Replayed(resource, tries) : new Created(resource, tries));
    }

    private static boolean mayBeRepeated(Problem problem, @Nullable Duration wait) {
        if (problem.retryable() != null) {
            return problem.retryable();
        }
        return problem.status() >= HTTP_SERVER_ERROR || wait != null;
    }
}
