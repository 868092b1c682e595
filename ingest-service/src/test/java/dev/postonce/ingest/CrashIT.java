package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.platforms;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** An instance dies between two steps; another one answers the next try. */
@Tag("faults")
class CrashIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Test
    void a_process_that_dies_between_two_steps_leaves_all_or_nothing_and_the_next_try_tells_which() throws Exception {
        post(ALPHA, "/v1/tasks", platforms(campaign("crash-extend"), "toutiao"));
        try (Doomed early = new Doomed("ingest.after-validate-before-tx");
                Doomed late = new Doomed("ingest.after-commit-before-response");
                Doomed inside = new Doomed("ingest.after-outbox-before-commit")) {

            early.diesOf(campaign("crash-early"));
            late.diesOf(campaign("crash-late"));
            inside.diesOf(platforms(campaign("crash-extend"), "toutiao", "webhook"));
        }

        assertThat(count("ingest.task where external_id = 'crash-early'")).isZero();
        assertThat(count("ingest.idempotency_record where resource_ref = 'crash-early'"))
                .isZero();
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-late'"))
                .isEqualTo(1);
        assertThat(count("ingest.target where external_id = 'crash-extend'")).isEqualTo(1);
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-extend'"))
                .isEqualTo(1);

        Answer early = again(campaign("crash-early"));
        Answer late = again(campaign("crash-late"));
        Answer inside = again(platforms(campaign("crash-extend"), "toutiao", "webhook"));
        assertThat(early.status()).as(early.text()).isEqualTo(201);
        assertThat(late.status()).as(late.text()).isEqualTo(200);
        assertThat(late.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(inside.strings("added_platforms")).containsExactly("webhook");
        assertThat(count("ingest.outbox_event where record_key = 'alpha:crash-late'"))
                .isEqualTo(1);
    }

    private static Answer again(ObjectNode body) {
        return post(
                ALPHA,
                "/v1/tasks",
                body,
                "Idempotency-Key",
                "key-" + body.path("external_id").asString());
    }

    /** An instance in a process of its own that ends at a fail point. */
    private static final class Doomed implements AutoCloseable {

        private final int port = freePort();
        private final Process process;

        Doomed(String failPoint) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Dpostonce.failpoints=" + failPoint + "=halt(137)",
                    "-cp",
                    System.getProperty("java.class.path"),
                    IngestService.class.getName()));
            command.addAll(List.of(TestIngest.arguments(
                    Intake.database(), Map.of("POSTONCE_HTTP_PORT", port, "POSTONCE_DB_POOL_MAX", 2))));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        void diesOf(ObjectNode body) throws Exception {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(240))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> !process.isAlive() || isReady());
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/tasks"))
                    .header("Authorization", "Bearer " + ALPHA)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", "key-" + body.path("external_id").asString())
                    .POST(BodyPublishers.ofString(body.toString()))
                    .build();
            try {
                throw new AssertionError("an answer: "
                        + HTTP.send(request, BodyHandlers.ofString()).body());
            } catch (IOException e) {
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(137);
            }
        }

        private boolean isReady() throws InterruptedException {
            try {
                URI health = URI.create("http://127.0.0.1:" + port + "/actuator/health/liveness");
                return HTTP.send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
                                .statusCode()
                        == 200;
            } catch (IOException e) {
                return false;
            }
        }

        private static int freePort() {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
