package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.Topics;
import dev.postonce.testinfra.TestInfra;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** The service as it is run: its settings, its own migrations, health, metrics, and an orderly end. */
class RelayServiceIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void it_waits_for_outbox_and_topics_streams_and_ends() throws Exception {
        try (OutboxFixture outbox = new OutboxFixture()) {
            outbox.superuser.execute("drop schema relay cascade");
            outbox.superuser.execute("create schema relay authorization postonce_relay");
            outbox.superuser.execute("drop publication postonce_ingest_outbox");
            ConfigurableApplicationContext relay = SpringApplication.run(
                    OutboxRelay.class,
                    "--spring.datasource.url=" + outbox.database.url(),
                    "--spring.datasource.password=" + outbox.database.password(),
                    "--postonce.kafka.bootstrap=" + TestInfra.kafkaBootstrap(),
                    "--postonce.relay.sources=ingest",
                    "--postonce.relay.check-every=1s",
                    "--server.port=0",
                    "--logging.structured.format.console=");
            try {
                String base =
                        "http://127.0.0.1:" + relay.getEnvironment().getProperty("local.server.port") + "/actuator";
                await().atMost(PATIENCE).until(() -> get(base + "/health").contains("outbox_not_there_yet"));
                outbox.createPublication();
                await().atMost(PATIENCE)
                        .until(() -> get(base + "/health/readiness").contains("topics_not_there_yet"));
                runTopicsStep();
                var published = outbox.insert(Topics.TASK, "served", 1, "{}");
                await().atMost(PATIENCE)
                        .until(() -> get(base + "/health/readiness").contains("\"UP\""));
                try (TopicReader topic = new TopicReader(Topics.TASK)) {
                    topic.awaitIds(java.util.List.of(published), 30);
                }
                assertThat(get(base + "/prometheus"))
                        .contains("postonce_relay_published_total{", "postonce_relay_slot_lag_bytes{");
                assertThat(get(base + "/env")).contains("404");
            } finally {
                relay.close();
            }
            assertThat(outbox.superuser.queryForObject(
                            "select count(*) from pg_stat_activity where usename = 'postonce_relay' and datname = ?"
                                    + " and application_name like 'postonce-relay-%'",
                            Long.class, outbox.database.name()))
                    .isZero();
            outbox.superuser.query("select pg_drop_replication_slot('postonce_ingest_outbox')", row -> {});
        }
    }

    private static void runTopicsStep() {
        SpringApplication admin = new SpringApplication(TopicsStep.class);
        admin.setWebApplicationType(WebApplicationType.NONE);
        int code = SpringApplication.exit(admin.run(
                "--postonce.kafka.bootstrap=" + TestInfra.kafkaBootstrap(), "--logging.structured.format.console="));
        assertThat(code).isZero();
    }

    private static String get(String url) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
