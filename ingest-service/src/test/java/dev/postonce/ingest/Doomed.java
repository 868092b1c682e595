package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.node.ObjectNode;

/** An instance on the tests' database in a process of its own, which may end at a fail point, or of too little memory. */
public final class Doomed implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private static final int KILLED = 137;

    private final int port = freePort();
    private final Process process;

    /** One that ends where it comes to the fail point. */
    public Doomed(String failPoint) throws IOException {
        this(failPoint, "halt(137)");
    }

    public Doomed(String failPoint, String action) throws IOException {
        this(List.of("-Xmx192m", "-Dpostonce.failpoints=" + failPoint + "=" + action), Map.of());
    }

    /** @param settings POSTONCE_ variables that differ from the test defaults */
    public Doomed(List<String> javaOptions, Map<String, Object> settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), IngestService.class.getName()));
        Map<String, Object> all = new LinkedHashMap<>(Map.of("POSTONCE_HTTP_PORT", port, "POSTONCE_DB_POOL_MAX", 3));
        all.putAll(settings);
        command.addAll(List.of(TestIngest.arguments(Intake.database(), all)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("target/doomed.log")))
                .start();
    }

    /** Where it listens, once it does. */
    public String url() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(240))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> !process.isAlive() || isReady());
        return "http://127.0.0.1:" + port;
    }

    /** It gets no further than its fail point. */
    public void dies() throws InterruptedException {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(KILLED);
    }

    void diesOf(ObjectNode body) throws Exception {
        HttpRequest request = to("/v1/tasks", body.path("external_id").asString())
                .POST(BodyPublishers.ofString(body.toString()))
                .build();
        try {
            throw new AssertionError(
                    "an answer: " + HTTP.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            dies();
        }
    }

    /** It is committed, and the answer tells nothing of it. */
    void loses(HttpRequest request) throws Exception {
        assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(500);
    }

    HttpRequest update(String externalId, ObjectNode body) {
        return to("/v1/tasks/" + externalId, externalId)
                .header("If-Match", "1")
                .PUT(BodyPublishers.ofString(body.toString()))
                .build();
    }

    HttpRequest withdraw(String externalId) {
        return to("/v1/tasks/" + externalId + "/withdraw", externalId)
                .POST(BodyPublishers.ofString("{\"status\":\"archived\",\"reason\":\"recalled\"}"))
                .build();
    }

    private HttpRequest.Builder to(String path, String key) {
        return HttpRequest.newBuilder(URI.create(url() + path))
                .header("Authorization", "Bearer " + ALPHA)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "key-" + key);
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
