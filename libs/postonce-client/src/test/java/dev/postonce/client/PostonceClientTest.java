package dev.postonce.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postonce.client.SubmitResult.Created;
import dev.postonce.client.SubmitResult.GaveUp;
import dev.postonce.client.SubmitResult.Refused;
import dev.postonce.client.SubmitResult.Replayed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostonceClientTest {

    private static final String BODY = "{\"external_id\":\"mall_promo_1111_kv_v2\",\"title\":\"主会场预热\"}";
    private static final String CREATED = "{\"ok\":true,\"external_id\":\"x\",\"idempotent_replay\":false}";
    private static final String REPLAYED = "{\"ok\":true,\"external_id\":\"x\",\"idempotent_replay\":true}";
    private static final RetryPolicy QUICK = new RetryPolicy(
            4, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(2), Duration.ofSeconds(5));

    private ScriptedServer server;
    private PostonceClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        client = new PostonceClient(server.url() + "/", "pk_dev_key", QUICK);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void a_new_submission_is_created() throws InterruptedException {
        server.then(201, CREATED);
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(Created.class, created -> {
            assertThat(created.resource().path("external_id").asString()).isEqualTo("x");
            assertThat(created.tries()).isEqualTo(1);
        });
        assertThat(server.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.path()).isEqualTo("/v1/tasks");
            assertThat(seen.body()).isEqualTo(BODY);
            assertThat(seen.idempotencyKey()).isEqualTo("key-1");
            assertThat(seen.authorization()).isEqualTo("Bearer pk_dev_key");
        });
    }

    @Test
    void a_group_goes_to_the_groups() throws InterruptedException {
        server.then(200, REPLAYED);
        assertThat(client.submitGroup("{}", null)).isInstanceOf(Replayed.class);
        assertThat(server.seen().get(0).path()).isEqualTo("/v1/groups");
        assertThat(server.seen().get(0).idempotencyKey()).isNull();
    }

    @Test
    void a_lost_answer_is_asked_for_again_under_the_same_key() throws InterruptedException {
        server.thenHangUp().thenHangUp().then(200, REPLAYED);
        assertThat(client.submitTask(BODY, "key-1").tries()).isGreaterThan(1);
        // The JDK's client may itself repeat a request on a connection that was closed before an answer began.
        assertThat(server.seen()).allMatch(seen -> "key-1".equals(seen.idempotencyKey()));
    }

    @Test
    void nobody_listening_is_tried_again_and_then_given_up() throws InterruptedException {
        server.close();
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(GaveUp.class, gaveUp -> {
            assertThat(gaveUp.tries()).isEqualTo(4);
            assertThat(gaveUp.last().problem()).isNull();
            assertThat(gaveUp.last().describe()).contains("ConnectException");
        });
    }

    @Test
    void what_the_service_calls_retryable_is_tried_again() throws InterruptedException {
        server.then(503, "{\"ok\":false,\"error_code\":\"storage_failed\",\"retryable\":true}")
                .then(409, "{\"ok\":false,\"error_code\":\"request_in_progress\",\"retryable\":true}")
                .then(201, CREATED);
        assertThat(client.submitTask(BODY, "key-1"))
                .isInstanceOfSatisfying(
                        Created.class, done -> assertThat(done.tries()).isEqualTo(3));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 409, 413, 415, 422, 429})
    void a_4xx_is_never_repeated_blindly(int status) throws InterruptedException {
        server.then(status, "{\"error_code\":\"no\",\"detail\":\"because\"}").then(201, CREATED);
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.problem().status()).isEqualTo(status);
            assertThat(refused.problem().describe()).isEqualTo(status + " no: because");
        });
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void a_5xx_that_says_it_is_final_is_final() throws InterruptedException {
        server.then(500, "{\"error_code\":\"internal\",\"retryable\":false}");
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOf(Refused.class);
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void a_5xx_of_a_proxy_that_says_nothing_is_tried_again() throws InterruptedException {
        server.then(502, "<html>bad gateway</html>").then(201, CREATED);
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOf(Created.class);
    }

    @Test
    void the_last_answer_is_told_when_it_gives_up() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            server.then(503, "{\"error_code\":\"storage_failed\",\"retryable\":true,\"request_id\":\"r-" + i + "\"}");
        }
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(GaveUp.class, gaveUp -> {
            assertThat(gaveUp.last().problem()).isNotNull();
            assertThat(gaveUp.last().problem().requestId()).isEqualTo("r-3");
        });
    }

    @Test
    void it_waits_as_long_as_retry_after_asks() throws InterruptedException {
        server.then(429, "{\"error_code\":\"rate_limited\",\"retryable\":true}", "Retry-After", "1")
                .then(201, CREATED);
        long began = System.nanoTime();
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOf(Created.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(990));
    }

    @Test
    void it_gives_up_rather_than_come_earlier_than_it_was_told() throws InterruptedException {
        server.then(429, "{\"error_code\":\"rate_limited\",\"retryable\":true}", "Retry-After", "3600");
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOf(GaveUp.class);
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void retry_after_takes_a_date() {
        Instant now = Instant.parse("2026-11-11T00:00:00Z");
        assertThat(RetryAfter.parse("Wed, 11 Nov 2026 00:00:07 GMT", now)).isEqualTo(Duration.ofSeconds(7));
        assertThat(RetryAfter.parse("Tue, 10 Nov 2026 00:00:07 GMT", now)).isEqualTo(Duration.ZERO);
        assertThat(RetryAfter.parse("soon", now)).isNull();
        assertThat(RetryAfter.parse("-1", now)).isNull();
    }

    @Test
    void another_server_on_the_port_is_told_apart() throws InterruptedException {
        server.then(200, "<html>hello</html>");
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                        refused.problem().errorCode())
                .isEqualTo("not_a_postonce_answer"));
    }

    @Test
    void fields_at_fault_are_told() throws InterruptedException {
        server.then(
                400,
                "{\"error_code\":\"bad_payload\",\"detail\":\"2 fields\",\"errors\":["
                        + "{\"pointer\":\"/title\",\"detail\":\"is missing\"},{\"pointer\":\"/tags\"}]}");
        assertThat(client.submitTask(BODY, "key-1")).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                        refused.problem().describe())
                .isEqualTo("400 bad_payload: 2 fields (/title is missing; /tags)"));
    }

    @Test
    void a_check_goes_without_a_key_and_is_tried_again_like_any_call() throws InterruptedException {
        server.then(503, "{\"retryable\":true}").then(200, "{\"ok\":true,\"passes\":false}");
        assertThat(client.checkTask(BODY)).isInstanceOfSatisfying(Replayed.class, answered -> {
            assertThat(answered.resource().path("passes").asBoolean(true)).isFalse();
            assertThat(answered.tries()).isEqualTo(2);
        });
        assertThat(server.seen().get(0).path()).isEqualTo("/v1/tasks:check");
        assertThat(server.seen().get(0).idempotencyKey()).isNull();
    }

    @Test
    void an_update_keeps_its_key_over_all_tries_and_stops_at_a_version_conflict() throws InterruptedException {
        server.then(503, "{\"retryable\":true}")
                .then(412, "{\"error_code\":\"version_conflict\",\"retryable\":false}")
                .then(200, REPLAYED);
        assertThat(client.updateTask("a_v1", BODY, 3, "key-1"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.problem().errorCode()).isEqualTo("version_conflict"));
        assertThat(server.seen()).hasSize(2).allMatch(seen -> "key-1".equals(seen.idempotencyKey()));
        assertThat(server.seen().get(0).path()).isEqualTo("/v1/tasks/a_v1");
    }

    @Test
    void a_withdrawal_and_a_read_are_tried_again_when_the_answer_is_lost() throws InterruptedException {
        server.thenHangUp().then(200, REPLAYED).then(502, "").then(200, REPLAYED);
        assertThat(client.changeStatus("a_v1", "withdraw", "{}", null, "key-1")).isInstanceOf(Replayed.class);
        assertThat(client.read("/v1/tasks/a_v1")).isInstanceOf(Replayed.class);
    }

    @Test
    void delays_double_up_to_a_cap_with_jitter() {
        RetryPolicy policy = new RetryPolicy(
                40, Duration.ofMillis(200), Duration.ofSeconds(20), Duration.ofSeconds(60), Duration.ofSeconds(5));
        Random random = new Random(1111);
        for (int failed = 1; failed < 40; failed++) {
            long whole = Math.min(200L << Math.min(failed - 1, 30), 20_000);
            assertThat(policy.delayAfter(failed, random).toMillis()).isCloseTo(whole * 3 / 4, within(whole / 4 + 1));
        }
    }

    @Test
    void closing_ends_a_wait() throws Exception {
        server.then(503, "{\"retryable\":true}", "Retry-After", "2");
        CompletableFuture<SubmitResult> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return client.submitTask(BODY, "key-1");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (server.seen().isEmpty()) {
            Thread.onSpinWait();
        }
        client.close();
        assertThat(waiting.get(1, TimeUnit.SECONDS)).isInstanceOf(GaveUp.class);
    }

    @Test
    void a_batch_gives_each_line_its_result_and_what_it_left_open_is_submitted_alone_under_its_key()
            throws InterruptedException {
        server.then(
                        200,
                        """
                        {"line":1,"status_code":201,"external_id":"a","idempotent_replay":false}
                        {"line":2,"status_code":200,"external_id":"b","idempotent_replay":true}
                        {"line":3,"status_code":409,"error_code":"group_conflict","retryable":false}
                        {"line":4,"status_code":503,"error_code":"storage_failed","retryable":true}
                        {"line":5,"status_co""")
                .then(201, CREATED)
                .then(201, CREATED)
                .then(400, "{\"error_code\":\"bad_payload\",\"retryable\":false}");

        List<SubmitResult> results = client.submitTasks(List.of(
                new BatchLine("{\"external_id\":\"a\"}", "k-1"),
                new BatchLine("{\"external_id\":\"b\"}", null),
                new BatchLine("{\"external_id\":\"c\"}", "k-3"),
                new BatchLine("{\"external_id\":\"d\"}", "k-4"),
                new BatchLine("{\"external_id\":\"e\"}", "k-5"),
                new BatchLine("no json", "k-6")));

        assertThat(results.get(0)).isInstanceOf(Created.class);
        assertThat(results.get(1)).isInstanceOf(Replayed.class);
        assertThat(results.get(2)).isInstanceOf(Refused.class);
        assertThat(results.get(3)).isInstanceOf(Created.class);
        assertThat(results.get(4)).isInstanceOf(Created.class);
        assertThat(results.get(5)).isInstanceOf(Refused.class);
        assertThat(server.seen().get(0).path()).isEqualTo("/v1/tasks:batch");
        assertThat(server.seen().get(0).body())
                .startsWith("{\"external_id\":\"a\",\"idempotency_key\":\"k-1\"}\n{\"external_id\":\"b\"}\n")
                .endsWith("\n\n");
        assertThat(server.seen().subList(1, 4).stream().map(ScriptedServer.Seen::idempotencyKey))
                .containsExactly("k-4", "k-5", "k-6");
    }

    @Test
    void a_batch_without_an_answer_is_submitted_line_by_line() throws InterruptedException {
        server.thenHangUp().then(201, CREATED).then(200, REPLAYED);

        List<SubmitResult> results = client.submitTasks(List.of(
                new BatchLine("{\"external_id\":\"a\"}", "k-1"), new BatchLine("{\"external_id\":\"b\"}", "k-2")));

        assertThat(results.get(0)).isInstanceOf(Created.class);
        assertThat(results.get(1)).isInstanceOf(Replayed.class);
    }
}
