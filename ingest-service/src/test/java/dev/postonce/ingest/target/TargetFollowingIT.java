package dev.postonce.ingest.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TargetState;
import dev.postonce.ingest.TestIngest;
import dev.postonce.ingest.callback.CallbackSink;
import dev.postonce.ingest.callback.JdbcCallbackSecrets;
import dev.postonce.ingest.callback.TestTasks;
import dev.postonce.ingest.feed.TopicFeed;
import dev.postonce.messaging.TopicAdmin;
import dev.postonce.runtime.Secret;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.JdbcTemplate;

/** The service on a real PostgreSQL and Kafka, from a dispatch event to the upstream; one story in steps. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TargetFollowingIT {

    private static final String SECRET = "whsec_"
            + Base64.getEncoder().encodeToString("0123456789abcdef01234567".getBytes(StandardCharsets.US_ASCII));
    private static final List<String> PLATFORMS = List.of("wordpress", "webhook", "zhihu");
    private static final int TASKS = 12;

    private static final TestDatabase DATABASE = TestInfra.newDatabase();
    private static final JdbcTemplate JDBC = new JdbcTemplate(DATABASE.as("postonce_ingest"));
    private static final CallbackSink SINK = new CallbackSink();
    private static final List<ProducerRecord<byte[], byte[]>> HISTORY = new ArrayList<>();
    private static final Map<String, String> NEWEST_STATE = new TreeMap<>();

    private static TestIngest ingest;

    @AfterAll
    static void end() {
        ingest.close();
        SINK.close();
    }

    @Test
    @Order(1)
    void without_the_topic_it_waits_and_says_so_and_then_follows() throws Exception {
        ingest = start();
        try (Admin admin = admin()) {
            assertThat(health(ingest)).isEqualTo(Status.DOWN);
            TopicAdmin.ensureTopics(admin, (short) 1);
            await().atMost(30, TimeUnit.SECONDS).until(() -> health(ingest).equals(Status.UP));
            await().atMost(30, TimeUnit.SECONDS)
                    .until(() ->
                            count("select count(*) from ingest.consumer_start where topic = 'postonce.dispatch.v1'")
                                    == 6);
            for (String tenant : List.of("dev", "mall")) {
                new TestTasks(JDBC).tenant(tenant);
                ingest.bean(JdbcCallbackSecrets.class).set(tenant, Secret.of(SECRET), Duration.ZERO);
            }
        }
        assertThat(count("select sum(incidents) from ingest.consumer_start")).isZero();
    }

    @Test
    @Order(2)
    void events_duplicated_and_out_of_order_converge_on_two_instances_at_once() {
        long seed = System.nanoTime();
        System.out.println("TargetFollowingIT seed " + seed);
        Random random = new Random(seed);
        TestTasks tasks = new TestTasks(JDBC);
        for (int task = 0; task < TASKS; task++) {
            tasks.task(tenantOf(task), "t" + task, SINK.url("/t" + task));
            for (String platform : PLATFORMS) {
                writeHistory(tenantOf(task), "t" + task, platform, random);
            }
        }
        List<ProducerRecord<byte[], byte[]>> stream = new ArrayList<>(HISTORY);
        for (int i = 0; i < 60; i++) {
            stream.add(HISTORY.get(random.nextInt(HISTORY.size())));
        }
        Collections.shuffle(stream, random);

        try (TestIngest two = start()) {
            send(stream.subList(0, stream.size() / 2));
            // One of the two readers leaves, and another comes in its place.
            ingest.bean("dispatchFeed", TopicFeed.class).clockSetBack();
            send(stream.subList(stream.size() / 2, stream.size()));
            awaitConverged();
            assertThat(incidents(ingest) + incidents(two)).isZero();
        }
        assertEachTargetWasToldItsNewestState();
        assertThat(count("select count(*) from ingest.parked_record")).isZero();
    }

    @Test
    @Order(3)
    void what_cannot_be_applied_is_parked_whole_and_the_rest_goes_on() {
        new TestTasks(JDBC).task("dev", "after", SINK.url("/after"));
        ProducerRecord<byte[], byte[]> broken = DispatchEvents.of("dev", "after", "wordpress", 1, "published", "x");
        broken.headers().remove("ce_type");
        ProducerRecord<byte[], byte[]> nul = DispatchEvents.of("dev", "after", "webhook", 1, "published", "\u0000");
        send(List.of(
                broken,
                DispatchEvents.of("dev", "nobody", "wordpress", 1, "published", "x"),
                nul,
                DispatchEvents.of("dev", "after", "wordpress", 2, "failed", "x"),
                DispatchEvents.of("dev", "after", "wordpress", 2, "published", "another content"),
                DispatchEvents.of("dev", "after", "wordpress", 3, "published", "x")));
        await().atMost(30, TimeUnit.SECONDS).until(() -> count("select count(*) from ingest.parked_record") == 4);
        await().atMost(30, TimeUnit.SECONDS).until(() -> "published".equals(stateOf("dev", "after", "wordpress")));
        await().atMost(30, TimeUnit.SECONDS).until(() -> SINK.deliveriesTo("/after").stream()
                .anyMatch(delivery -> delivery.json().get("status").asString().equals("published")));
        assertThat(JDBC.queryForList("select reason_code from ingest.parked_record order by reason_code", String.class))
                .containsExactly("handler_failed", "undecodable", "unknown_task", "version_conflict");
        assertThat(JDBC.queryForList("select state from ingest.inbox_event where state = 'parked'"))
                .hasSize(3);
    }

    @Test
    @Order(4)
    void a_new_version_that_looks_like_the_one_before_is_told_and_one_that_is_only_confirmed_is_not() {
        new TestTasks(JDBC).task("dev", "alike", SINK.url("/alike"));
        send(List.of(DispatchEvents.shown("dev", "alike", "wordpress", 1, 1)));
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> !SINK.deliveriesTo("/alike").isEmpty());
        // As an update does it: which version is to be shown is noted before it is shown.
        JDBC.update("update ingest.target set task_version = 2 where external_id = 'alike'");
        send(List.of(DispatchEvents.shown("dev", "alike", "wordpress", 2, 2)));
        await().atMost(30, TimeUnit.SECONDS).until(() -> SINK.deliveriesTo("/alike").stream()
                .anyMatch(delivery -> delivery.json().get("task_version").asLong() == 2));
        send(List.of(DispatchEvents.shown("dev", "alike", "wordpress", 3, 2)));
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> count("select dispatch_version from ingest.target where external_id = 'alike'") == 3);
        assertThat(count("select count(*) from ingest.callback where external_id = 'alike'"))
                .isEqualTo(2);
    }

    @Test
    @Order(5)
    void what_search_engines_answered_is_in_the_audit_and_no_longer_than_500_characters() {
        new TestTasks(JDBC).task("dev", "searched", null);
        send(List.of(
                DispatchEvents.of("dev", "searched", "indexnow", 1, "running", "x"),
                DispatchEvents.of("dev", "searched", "indexnow", 2, "submitted", "x"),
                DispatchEvents.of("dev", "searched", "indexnow", 2, "submitted", "x"),
                DispatchEvents.of("dev", "searched", "baidu", 1, "failed", "\uD83D\uDE00".repeat(700)),
                DispatchEvents.of("dev", "searched", "wordpress", 1, "failed", "x")));
        String answers = "select detail from ingest.audit where external_id = 'searched' order by outcome";
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> JDBC.queryForList(answers, String.class).size() == 2);
        List<String> details = JDBC.queryForList(answers, String.class);
        assertThat(details.get(0)).contains("\"platform\":\"baidu\"", "标题太长").endsWith("\uD83D\uDE00\"}");
        assertThat(details.get(0).codePointCount(0, details.get(0).length())).isBetween(500, 600);
        assertThat(details.get(1)).contains("\"platform\":\"indexnow\"", "\"state\":\"submitted\"");
    }

    @Test
    @Order(6)
    void a_database_that_refuses_for_a_while_delays_and_loses_nothing() throws Exception {
        new TestTasks(JDBC).task("dev", "delayed", null);
        try (Connection blocker = DATABASE.asSuperuser().getConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("lock table ingest.watermark in access exclusive mode");
            send(List.of(DispatchEvents.of("dev", "delayed", "wordpress", 1, "published", "x")));
            // Longer than the lock time-out, so that at least one try has failed.
            await().pollDelay(2, TimeUnit.SECONDS).until(() -> true);
            assertThat(stateOf("dev", "delayed", "wordpress")).isEmpty();
            blocker.rollback();
        }
        await().atMost(30, TimeUnit.SECONDS).until(() -> "published".equals(stateOf("dev", "delayed", "wordpress")));
    }

    @Test
    @Order(7)
    void lost_offsets_are_an_incident_and_reading_all_again_changes_nothing() throws Exception {
        ingest.close();
        Map<String, Object> before = everything();
        int deliveriesBefore = SINK.deliveries().size();
        try (Admin admin = admin()) {
            admin.deleteConsumerGroups(List.of(TargetConfiguration.GROUP)).all().get(20, TimeUnit.SECONDS);
        }
        ingest = start();
        await().atMost(30, TimeUnit.SECONDS).until(() -> incidents(ingest) == 6);
        await().atMost(30, TimeUnit.SECONDS).until(() -> health(ingest).equals(Status.UP));
        double read = ingest.bean(MeterRegistry.class).find("postonce.target.events").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
        assertThat(read).isGreaterThanOrEqualTo(HISTORY.size());
        assertThat(count("select sum(incidents) from ingest.consumer_start")).isEqualTo(6);
        assertThat(everything()).isEqualTo(before);
        assertThat(SINK.deliveries()).hasSize(deliveriesBefore);
    }

    /** A walk through the transition table, four to eight versions long. */
    private static void writeHistory(String tenant, String externalId, String platform, Random random) {
        TargetState state = TargetState.PENDING;
        int versions = 4 + random.nextInt(5);
        for (long version = 1; version <= versions; version++) {
            HISTORY.add(DispatchEvents.of(tenant, externalId, platform, version, state.wireName(), "n"));
            if (version == versions) {
                NEWEST_STATE.put(
                        RecordKey.parse(tenant + ":" + externalId + "/" + platform)
                                .toString(),
                        state.wireName());
            }
            List<TargetState> next = state.successors().stream().sorted().toList();
            state = next.get(random.nextInt(next.size()));
        }
    }

    private static void assertEachTargetWasToldItsNewestState() {
        assertThat(SINK.deliveries()).allMatch(delivery -> delivery.isSignedBy(SECRET));
        for (int task = 0; task < TASKS; task++) {
            Map<String, CallbackSink.Delivery> last = new LinkedHashMap<>();
            SINK.deliveriesTo("/t" + task)
                    .forEach(delivery -> last.merge(
                            delivery.json().get("platform").asString(),
                            delivery,
                            (old, next) -> next.sequence() > old.sequence() ? next : old));
            for (String platform : PLATFORMS) {
                String key = tenantOf(task) + ":t" + task + "/" + platform;
                String newest = NEWEST_STATE.get(key);
                if (TargetState.of(newest).orElseThrow().callsBack()) {
                    assertThat(last.get(platform)).as(key).isNotNull();
                    assertThat(last.get(platform).json().get("status").asString())
                            .as(key)
                            .isEqualTo(newest);
                }
            }
        }
        assertThat(count("select count(*) from (select tenant_id, external_id, sequence from ingest.callback"
                        + " group by 1, 2, 3 having count(*) > 1) doubled"))
                .isZero();
    }

    private static void awaitConverged() {
        await().atMost(60, TimeUnit.SECONDS)
                .pollInterval(200, TimeUnit.MILLISECONDS)
                .untilAsserted(() -> {
                    Map<String, String> states = new TreeMap<>();
                    JDBC.query("select tenant_id, external_id, platform, state from ingest.target", row -> {
                        states.put(
                                row.getString(1) + ":" + row.getString(2) + "/" + row.getString(3), row.getString(4));
                    });
                    assertThat(states).isEqualTo(NEWEST_STATE);
                    assertThat(count("select count(*) from ingest.callback where state = 'pending'"))
                            .isZero();
                });
    }

    private static Map<String, Object> everything() {
        Map<String, Object> result = new LinkedHashMap<>();
        for (String table : List.of("target", "callback", "callback_lane", "watermark")) {
            result.put(
                    table,
                    JDBC.queryForList("select * from ingest." + table + " order by 1, 2, 3")
                            .toString());
        }
        return result;
    }

    private static TestIngest start() {
        return TestIngest.start(
                DATABASE,
                Map.of(
                        "POSTONCE_KAFKA_BOOTSTRAP",
                        TestInfra.kafkaBootstrap(),
                        "postonce.callback.poll",
                        "100ms",
                        "POSTONCE_CLAIM_WAIT_MS",
                        "500",
                        "postonce.callback.schedule",
                        "0s,100ms,100ms,1s"));
    }

    private static Status health(TestIngest ingest) {
        return ingest.bean("dispatchFeed", TopicFeed.class).health().getStatus();
    }

    private static double incidents(TestIngest ingest) {
        return ingest.bean(MeterRegistry.class)
                .counter("postonce.target.offset.incidents")
                .count();
    }

    private static String tenantOf(int task) {
        return task % 2 == 0 ? "dev" : "mall";
    }

    private static String stateOf(String tenant, String externalId, String platform) {
        return JDBC
                .queryForList(
                        "select state from ingest.target where tenant_id = ? and external_id = ? and platform = ?",
                        String.class,
                        tenant,
                        externalId,
                        platform)
                .stream()
                .findFirst()
                .orElse("");
    }

    private static long count(String sql) {
        Long count = JDBC.queryForObject(sql, Long.class);
        return count == null ? 0 : count;
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()));
    }

    private static void send(List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestInfra.kafkaBootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            records.forEach(producer::send);
            producer.flush();
        }
    }
}
