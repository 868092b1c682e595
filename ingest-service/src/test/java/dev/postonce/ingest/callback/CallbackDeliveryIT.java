package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.postonce.ingest.callback.CallbackSink.Delivery;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.runtime.Secret;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Lanes and workers on a real PostgreSQL, against a real HTTP endpoint; no Kafka. */
class CallbackDeliveryIT {

    private static final String SECRET = "whsec_"
            + Base64.getEncoder().encodeToString("0123456789abcdef01234567".getBytes(StandardCharsets.US_ASCII));
    private static final String NEXT_SECRET = "whsec_"
            + Base64.getEncoder()
                    .encodeToString("the next secret, 32 bytes long..".getBytes(StandardCharsets.US_ASCII));
    private static final String SECRETS_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 4;

    private static HikariDataSource pool;
    private static JdbcTemplate jdbc;
    private static TransactionTemplate transaction;
    private static CallbackSecrets secrets;
    private static SafeHttpClient http;
    private static CallbackSender sender;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RetrySchedule schedule =
            new RetrySchedule(List.of(Duration.ZERO, ms(60), ms(60), ms(60)), new Random(5));
    private final CallbackWriter writer = new CallbackWriter(jdbc, Duration.ZERO);
    private final List<DeliveryLoop> loops = new ArrayList<>();
    private final TestTasks tasks = new TestTasks(jdbc);
    private CallbackSink sink;

    @BeforeAll
    static void database() {
        TestDatabase database = TestInfra.newDatabase();
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername("postonce_ingest");
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(24);
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration/ingest")
                .schemas("ingest")
                .defaultSchema("ingest")
                .createSchemas(false)
                .load()
                .migrate();
        jdbc = new JdbcTemplate(pool);
        transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        secrets = new CallbackSecrets(
                JdbcClient.create(pool), transaction, SecretCipher.of(SECRETS_KEY, new SecureRandom()));
        http = new SafeHttpClient(new OutgoingPolicy(
                true, true, Set.of(), Set.of(), Duration.ofSeconds(1), Duration.ofMillis(600), 64 * 1024));
        sender = new HttpCallbackSender(http, secrets, InstantSource.system());
    }

    @AfterAll
    static void close() {
        http.close();
        pool.close();
    }

    @BeforeEach
    void tenants() {
        sink = new CallbackSink();
        jdbc.execute("truncate ingest.tenant, ingest.task cascade");
        for (String tenant : List.of("dev", "mall")) {
            tasks.tenant(tenant);
            secrets.set(tenant, Secret.of(SECRET), Duration.ZERO);
        }
    }

    @AfterEach
    void stop() {
        loops.forEach(DeliveryLoop::stop);
        sink.close();
    }

    @Test
    void two_instances_deliver_each_callback_once_signed_and_in_the_order_of_its_lane() {
        DeliveryLoop one = loop(8, 8);
        loop(8, 8);
        for (int task = 0; task < 40; task++) {
            tasks.task("dev", "t" + task, sink.url("/t" + task));
            tell("dev", "t" + task, "wordpress", "published", 3);
            tell("dev", "t" + task, "webhook", "failed", 2);
            tell("dev", "t" + task, "zhihu", "not_configured", 1);
        }
        one.wake();
        await().atMost(30, TimeUnit.SECONDS).until(() -> count("delivered") == 120);
        assertThat(sink.deliveries())
                .hasSize(120)
                .allMatch(delivery -> delivery.isSignedBy(SECRET))
                .extracting(Delivery::id)
                .doesNotHaveDuplicates();
        for (int task = 0; task < 40; task++) {
            assertThat(sink.deliveriesTo("/t" + task))
                    .extracting(Delivery::sequence)
                    .containsExactly(1L, 2L, 3L);
        }
        assertThat(meters.counter("postonce.callback.deliveries", "outcome", "delivered")
                        .count())
                .isEqualTo(120);
        assertThat(jdbc.queryForList("select external_id from ingest.callback_lane where due_at is not null"))
                .isEmpty();
    }

    @Test
    void a_receiver_that_fails_gets_the_same_message_again_with_a_new_signature() {
        sink.answers((exchange, nth) -> exchange.sendResponseHeaders(nth < 3 ? 500 : 200, -1));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        assertThat(sink.deliveries()).hasSize(3).allMatch(delivery -> delivery.isSignedBy(SECRET));
        assertThat(sink.deliveries()).extracting(Delivery::id).containsOnly(idOf("a", "wordpress", 1));
        assertThat(sink.deliveries())
                .extracting(Delivery::body)
                .containsOnly(sink.deliveries().get(0).body());
        assertThat(row("a")).containsEntry("attempts", 3).containsEntry("last_status_code", 200);
    }

    @Test
    void silence_and_a_swallowed_answer_are_tried_again() {
        CountDownLatch end = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            if (nth == 1) {
                CallbackSink.hang(end).to(exchange, nth);
            } else if (nth == 2) {
                exchange.close();
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        end.countDown();
        assertThat(sink.deliveries()).extracting(Delivery::id).hasSize(3).containsOnly(idOf("a", "wordpress", 1));
        assertThat(outcomes("timeout") + outcomes("connection_broken")).isEqualTo(2);
    }

    @Test
    void a_redirect_is_a_failure_is_not_followed_and_parks_at_the_end_of_the_schedule() {
        sink.answers((exchange, nth) -> {
            exchange.getResponseHeaders().set("Location", sink.url("/elsewhere"));
            exchange.sendResponseHeaders(302, -1);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        tell("dev", "a", "webhook", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 2);
        assertThat(sink.deliveriesTo("/elsewhere")).isEmpty();
        assertThat(sink.deliveriesTo("/a")).hasSize(2 * ATTEMPTS);
        assertThat(row("a")).containsEntry("last_outcome", "status_3xx");
        assertThat(lanes("x").backlog().parked()).isEqualTo(2);
    }

    @Test
    void a_410_ends_the_endpoint_and_what_comes_later_is_parked_unsent() {
        sink.answers(CallbackSink.status(410));
        tasks.task("dev", "a", sink.url("/a"));
        tasks.task("dev", "b", sink.url("/b"));
        tell("dev", "a", "wordpress", "published", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("parked") == 1);
        tell("dev", "a", "webhook", "published", 1);
        sink.answers(CallbackSink.status(200));
        tell("dev", "b", "webhook", "published", 1);
        loop.wake();
        await().until(() -> count("parked") == 2 && count("delivered") == 1);
        assertThat(sink.deliveriesTo("/a")).hasSize(1);
        assertThat(jdbc.queryForList("select last_outcome from ingest.callback where external_id = 'a'", String.class))
                .containsOnly("endpoint_gone");
    }

    @Test
    void retry_after_is_honoured() {
        sink.answers((exchange, nth) -> {
            if (nth == 1) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(nth == 1 ? 429 : 200, -1);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(sink.deliveries().get(1).receivedNanos()
                - sink.deliveries().get(0).receivedNanos());
        assertThat(waitedMs).isBetween(900L, 5000L);
    }

    @Test
    void after_an_outage_only_the_newest_state_of_each_target_is_sent() {
        AtomicBoolean down = new AtomicBoolean(true);
        sink.answers((exchange, nth) -> exchange.sendResponseHeaders(down.get() ? 503 : 200, -1));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "failed", 1);
        loop(2, 2);
        await().until(() -> !sink.deliveries().isEmpty());
        loops.get(0).stop();
        tell("dev", "a", "wordpress", "published", 2);
        tell("dev", "a", "webhook", "failed", 1);
        tell("dev", "a", "wordpress", "withdrawn", 3);
        down.set(false);
        loop(2, 2);
        await().until(() -> count("pending") == 0);
        assertThat(sink.deliveries()
                        .get(sink.deliveries().size() - 1)
                        .json()
                        .get("status")
                        .asString())
                .isEqualTo("withdrawn");
        assertThat(sink.deliveries().get(sink.deliveries().size() - 1).sequence())
                .isEqualTo(4);
        assertThat(sink.deliveries()).extracting(Delivery::id).doesNotContain(idOf("a", "wordpress", 2));
        assertThat(count("superseded")).isEqualTo(2);
        assertThat(count("delivered")).isEqualTo(2);
    }

    @Test
    void a_parked_callback_is_settled_by_a_newer_one_of_its_target() {
        sink.answers(CallbackSink.status(404));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "failed", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("parked") == 1);
        sink.answers(CallbackSink.status(200));
        tell("dev", "a", "wordpress", "published", 2);
        loop.wake();
        await().until(() -> count("delivered") == 1);
        assertThat(count("superseded")).isEqualTo(1);
        assertThat(lanes("x").backlog().parked()).isZero();
    }

    @Test
    void a_worker_killed_between_the_2xx_and_the_mark_is_followed_by_another_with_the_same_id() {
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        JdbcLanes lanes = lanes("killed");
        CallbackSender killed = (lane, callback) -> {
            sender.send(lane, callback);
            throw new IllegalStateException("the process ended here");
        };
        Lane lane = lanes.claim(10, 10, List.of()).get(0);
        assertThatThrownBy(() -> new LaneWorker(lanes, killed, schedule, meters).run(lane, () -> false))
                .isInstanceOf(IllegalStateException.class);
        assertThat(lanes.claim(10, 10, List.of())).as("leased").isEmpty();

        loop(2, 2);
        await().atMost(LEASE.multipliedBy(4)).until(() -> count("delivered") == 1);
        assertThat(sink.deliveries()).extracting(Delivery::id).hasSize(2).containsOnly(idOf("a", "wordpress", 1));
        assertThat(row("a")).containsEntry("attempts", 2);
    }

    @Test
    void a_worker_that_comes_late_writes_nothing() {
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        JdbcLanes late = lanes("late");
        Lane old = late.claim(10, 10, List.of()).get(0);
        DueCallback callback = late.begin(old).orElseThrow();
        jdbc.update("update ingest.callback_lane set leased_until = now()");
        Lane taken = lanes("next").claim(10, 10, List.of()).get(0);
        assertThat(taken.token()).isGreaterThan(old.token());

        DeliveryOutcome failed = new DeliveryOutcome.Failed("timeout", null, null);
        assertThat(late.finish(old, callback, failed, null, true)).isEqualTo(JdbcLanes.Step.FENCED);
        assertThat(late.begin(old)).isEmpty();
        assertThat(late.giveBack(old)).isEqualTo(JdbcLanes.Step.FENCED);
        assertThat(row("a")).containsEntry("state", "pending");
    }

    @Test
    void no_lock_is_held_while_a_request_is_on_its_way() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            arrived.countDown();
            CallbackSink.hang(end).to(exchange, nth);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        jdbc.execute("set statement_timeout = '200ms'; select 1 from ingest.callback_lane for update nowait;"
                + " select 1 from ingest.task for update nowait; reset statement_timeout");
        tell("dev", "a", "webhook", "published", 1);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        end.countDown();
    }

    @Test
    void a_tenant_whose_endpoint_hangs_does_not_hold_up_another() {
        CountDownLatch end = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            if (exchange.getRequestURI().getPath().startsWith("/slow")) {
                CallbackSink.hang(end).to(exchange, nth);
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        for (int i = 0; i < 30; i++) {
            tasks.task("mall", "slow" + i, sink.url("/slow" + i));
            tell("mall", "slow" + i, "wordpress", "published", 1);
        }
        DeliveryLoop loop = loop(4, 2);
        await().until(() -> sink.deliveries().size() >= 2);
        tasks.task("dev", "quick", sink.url("/quick"));
        tell("dev", "quick", "wordpress", "published", 1);
        loop.wake();
        // Long before the 30 slow ones could have timed out.
        await().atMost(3, TimeUnit.SECONDS)
                .until(() -> !sink.deliveriesTo("/quick").isEmpty());
        end.countDown();
    }

    @Test
    void many_appends_at_once_to_one_task_get_rising_sequences() throws Exception {
        tasks.task("dev", "a", sink.url("/a"));
        ExecutorService threads = Executors.newFixedThreadPool(12);
        List<Future<?>> appends = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            String platform = "p" + i;
            appends.add(threads.submit(() -> tell("dev", "a", platform, "published", 1)));
        }
        loop(4, 4).wake();
        for (Future<?> append : appends) {
            append.get(20, TimeUnit.SECONDS);
        }
        threads.shutdown();
        await().atMost(20, TimeUnit.SECONDS).until(() -> count("delivered") == 60);
        assertThat(sink.deliveries())
                .extracting(Delivery::sequence)
                .containsExactlyElementsOf(
                        java.util.stream.LongStream.rangeClosed(1, 60).boxed().toList());
    }

    @Test
    void both_secrets_sign_while_receivers_change_over_and_then_the_new_one_alone() {
        tasks.task("dev", "a", sink.url("/a"));
        secrets.set("dev", Secret.of(NEXT_SECRET), Duration.ofHours(1));
        tell("dev", "a", "wordpress", "published", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("delivered") == 1);
        assertThat(sink.deliveries().get(0).isSignedBy(SECRET)).isTrue();
        assertThat(sink.deliveries().get(0).isSignedBy(NEXT_SECRET)).isTrue();

        jdbc.update("update ingest.callback_secret set signs_until = now()");
        tell("dev", "a", "wordpress", "withdrawn", 2);
        loop.wake();
        await().until(() -> count("delivered") == 2);
        assertThat(sink.deliveries().get(1).isSignedBy(SECRET)).isFalse();
        assertThat(sink.deliveries().get(1).isSignedBy(NEXT_SECRET)).isTrue();
    }

    @Test
    void a_secret_is_unreadable_at_rest_and_in_another_tenants_row() {
        byte[] ciphertext = jdbc.queryForObject(
                "select callback_secret_ciphertext from ingest.tenant where tenant_id = 'dev'", byte[].class);
        assertThat(new String(ciphertext, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET.substring(6, 20));
        jdbc.update("update ingest.tenant set callback_secret_ciphertext = ? where tenant_id = 'mall'", ciphertext);
        assertThatThrownBy(() -> secrets.of("mall")).isInstanceOf(IllegalStateException.class);
        assertThat(secrets.of("dev")).containsExactly(Secret.of(SECRET));
        assertThatThrownBy(() -> secrets.set("nobody", Secret.of(SECRET), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void without_a_secret_nothing_leaves_until_there_is_one() {
        jdbc.update("update ingest.tenant set callback_secret_ciphertext = null");
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 1);
        assertThat(sink.deliveries()).isEmpty();
        assertThat(row("a")).containsEntry("last_outcome", "no_callback_secret");
    }

    @Test
    void a_url_that_leads_inside_is_never_called() {
        tasks.task("dev", "a", "http://169.254.169.254/latest");
        tasks.task("dev", "b", null);
        tell("dev", "a", "wordpress", "published", 1);
        tell("dev", "b", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 2);
        assertThat(row("a")).containsEntry("last_outcome", "blocked_url").containsEntry("attempts", 1);
        assertThat(row("b")).containsEntry("last_outcome", "no_callback_url");
    }

    private static Duration ms(long ms) {
        return Duration.ofMillis(ms);
    }

    private JdbcLanes lanes(String owner) {
        return new JdbcLanes(JdbcClient.create(pool), transaction, owner, LEASE);
    }

    private DeliveryLoop loop(int threads, int perTenant) {
        CallbackSettings settings = new CallbackSettings(
                List.of(Duration.ZERO), Duration.ofSeconds(1), Duration.ofSeconds(30), ms(30), threads, perTenant);
        JdbcLanes lanes = lanes("loop-" + loops.size());
        DeliveryLoop loop = new DeliveryLoop(lanes, new LaneWorker(lanes, sender, schedule, meters), settings, meters);
        loops.add(loop);
        loop.start();
        return loop;
    }

    private void tell(String tenant, String externalId, String platform, String status, long dispatchVersion) {
        NewCallback callback = callback(tenant, externalId, platform, status, dispatchVersion);
        transaction.executeWithoutResult(tx -> writer.append(List.of(callback)));
    }

    private static NewCallback callback(
            String tenant, String externalId, String platform, String status, long dispatchVersion) {
        return new NewCallback(
                tenant,
                externalId,
                "双11",
                platform,
                status,
                null,
                null,
                1,
                dispatchVersion,
                Instant.parse("2026-11-11T00:00:00Z"));
    }

    private static String idOf(String externalId, String platform, long dispatchVersion) {
        return callback("dev", externalId, platform, "", dispatchVersion).webhookId();
    }

    private static long count(String state) {
        Long count = jdbc.queryForObject("select count(*) from ingest.callback where state = ?", Long.class, state);
        return count == null ? 0 : count;
    }

    private double outcomes(String outcome) {
        return meters.counter("postonce.callback.deliveries", "outcome", outcome)
                .count();
    }

    private static Map<String, Object> row(String externalId) {
        return jdbc.queryForMap(
                "select * from ingest.callback where external_id = ? order by sequence limit 1", externalId);
    }
}
