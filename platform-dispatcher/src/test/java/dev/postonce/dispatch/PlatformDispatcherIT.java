package dev.postonce.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.postonce.dispatch.intake.TaskConsumer;
import dev.postonce.dispatch.testkit.Sandbox;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.messaging.TopicAdmin;
import dev.postonce.testinfra.GroupMembers;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service, as it is started, on real PostgreSQL and Kafka. */
class PlatformDispatcherIT {

    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final TestDatabase database = TestInfra.newDatabase();
    private final String kafka = TestInfra.kafkaBootstrap();
    private final JdbcTemplate jdbc = new JdbcTemplate(database.as("postonce_verify"));
    private final HttpClient http = HttpClient.newHttpClient();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private ConfigurableApplicationContext start(Path accounts) {
        ConfigurableApplicationContext service = new SpringApplicationBuilder(PlatformDispatcher.class)
                .properties(Map.of("spring.main.register-shutdown-hook", "false"))
                .run(
                        "--POSTONCE_DB_URL=" + database.url(),
                        "--POSTONCE_DB_PASSWORD=" + database.password(),
                        "--POSTONCE_KAFKA_BOOTSTRAP=" + kafka,
                        "--POSTONCE_HTTP_PORT=0",
                        "--POSTONCE_LOG_FORMAT=",
                        "--POSTONCE_ALLOW_LOOPBACK=true",
                        "--POSTONCE_ACCOUNTS_FILE=" + accounts,
                        "--POSTONCE_DISPATCH_LEASE_MS=3000",
                        "--POSTONCE_DISPATCH_HEARTBEAT_MS=500",
                        "--POSTONCE_DISPATCH_SETTLING_MS=1500",
                        "--POSTONCE_DISPATCH_POLL_MS=100");
        // A start sets logging up anew.
        log.start();
        ROOT.addAppender(log);
        return service;
    }

    @Test
    void it_waits_for_its_topic_reads_it_from_the_beginning_and_a_replay_makes_no_new_post(@TempDir Path folder)
            throws Exception {
        try (Sandbox sandbox = new Sandbox();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka));
                KafkaProducer<byte[], byte[]> producer = producer()) {
            Path accounts = Files.writeString(folder.resolve("accounts.json"), sandbox.accounts());
            ConfigurableApplicationContext first = start(accounts);
            try {
                waitsForItsTopic(first);
                TopicAdmin.ensureTopics(admin, (short) 1);
                postsWhatTheTopicHolds(first, producer, sandbox);
                isObservable(first);
                readsOnWhenTheClockWasSetBack(first, producer);
            } finally {
                first.close();
            }
            assertThat(jdbc.queryForObject(
                            "select count(*) from dispatch.instance where ended_how = 'stopped'", Long.class))
                    .isEqualTo(1);
            admin.deleteConsumerGroups(List.of("postonce-dispatch")).all().get(20, TimeUnit.SECONDS);
            try (ConfigurableApplicationContext second = start(accounts)) {
                replaysWithoutANewPost(second, producer, sandbox);
            }
        } finally {
            ROOT.detachAppender(log);
        }
        noCredentialStandsIn(log.list);
    }

    /** Of what went out with each request; {@code EffectLedgerIT} looks at the rows. */
    private static void noCredentialStandsIn(List<ILoggingEvent> events) {
        StringBuilder text = new StringBuilder();
        for (ILoggingEvent event : List.copyOf(events)) {
            text.append(event.getFormattedMessage()).append(event.getKeyValuePairs());
            if (event.getThrowableProxy() != null) {
                text.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
        String basic = Base64.getEncoder().encodeToString("postonce:postonce-sandbox".getBytes(StandardCharsets.UTF_8));
        assertThat(text.toString())
                .contains("postonce.task.v1")
                .doesNotContain("postonce-sandbox", basic, Sandbox.WEBHOOK_SECRET.substring("whsec_".length()));
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private void waitsForItsTopic(ConfigurableApplicationContext service) throws Exception {
        JsonNode health = health(service, "");
        assertThat(health.path("status").stringValue()).isEqualTo("DOWN");
        assertThat(health.path("components")
                        .path("dispatch")
                        .path("details")
                        .path("reason")
                        .stringValue())
                .contains("topic");
    }

    private void postsWhatTheTopicHolds(
            ConfigurableApplicationContext service, KafkaProducer<byte[], byte[]> producer, Sandbox sandbox)
            throws Exception {
        producer.send(new ProducerRecord<>("postonce.task.v1", 0, new byte[] {1}, new byte[] {2}))
                .get();
        for (int i = 0; i < 12; i++) {
            producer.send(Tasks.task("k-" + i).platforms("wordpress", "webhook").toProducerRecord());
        }
        // Another content at a version that was applied: one of the two is a lie.
        producer.send(Tasks.task("k-0").title("A lie").toProducerRecord()).get();
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(published()).isEqualTo(24);
            assertThat(jdbc.queryForList("select reason_code from dispatch.parked_record order by 1", String.class))
                    .containsExactly("undecodable", "version_conflict");
        });
        for (int i = 0; i < 12; i++) {
            assertThat(sandbox.posts("main", "k-" + i)).hasSize(1);
        }
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                        health(service, "/readiness").path("status").stringValue())
                .isEqualTo("UP"));
        assertThat(jdbc.queryForObject("select count(*) from dispatch.consumer_start", Long.class))
                .isEqualTo(6);
    }

    private long published() {
        Long count = jdbc.queryForObject("select count(*) from dispatch.target where state = 'published'", Long.class);
        return count == null ? 0 : count;
    }

    private void isObservable(ConfigurableApplicationContext service) throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            String metrics = get(service, "/actuator/prometheus").body();
            assertThat(metrics)
                    .contains("postonce_dispatch_attempts_total{outcome=\"published\",platform=\"wordpress\"} 12.0")
                    .contains("postonce_dispatch_targets{state=\"published\"} 24.0")
                    .contains("postonce_dispatch_in_doubt 0.0")
                    .contains("postonce_dispatch_parked 2.0");
            JsonNode details =
                    health(service, "").path("components").path("dispatch").path("details");
            assertThat(details.path("parked_records").intValue()).isEqualTo(2);
            assertThat(details.path("awaiting_operator").intValue()).isZero();
        });
        for (String closed : List.of("env", "beans", "heapdump", "loggers", "metrics")) {
            assertThat(get(service, "/actuator/" + closed).statusCode())
                    .as(closed)
                    .isEqualTo(404);
        }
    }

    private void readsOnWhenTheClockWasSetBack(
            ConfigurableApplicationContext service, KafkaProducer<byte[], byte[]> producer) throws Exception {
        Set<String> before = GroupMembers.of(TaskConsumer.GROUP);
        assertThat(before).isNotEmpty();
        service.getBean(TaskConsumer.class).clockSetBack();
        producer.send(Tasks.task("k-late").platforms("webhook").toProducerRecord())
                .get();
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(GroupMembers.of(TaskConsumer.GROUP)).isNotEmpty().doesNotContainAnyElementsOf(before);
            assertThat(published()).isEqualTo(25);
        });
    }

    private void replaysWithoutANewPost(
            ConfigurableApplicationContext service, KafkaProducer<byte[], byte[]> producer, Sandbox sandbox)
            throws Exception {
        producer.send(Tasks.task("k-last").platforms("wordpress").toProducerRecord())
                .get();
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(published()).isEqualTo(26);
            assertThat(health(service, "")
                            .path("components")
                            .path("dispatch")
                            .path("details")
                            .path("offset_incidents")
                            .intValue())
                    .isEqualTo(1);
        });
        assertThat(jdbc.queryForObject("select count(*) from dispatch.attempt", Long.class))
                .isEqualTo(26);
        for (int i = 0; i < 12; i++) {
            assertThat(sandbox.posts("main", "k-" + i)).hasSize(1);
            assertThat(sandbox.deliveries("hook", "k-" + i)).hasSize(1);
        }
    }

    private JsonNode health(ConfigurableApplicationContext service, String group) throws Exception {
        return JsonMapper.shared()
                .readTree(get(service, "/actuator/health" + group).body());
    }

    private HttpResponse<String> get(ConfigurableApplicationContext service, String path) throws Exception {
        String port = service.getEnvironment().getProperty("local.server.port");
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
