package dev.postonce.standalone.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postonce.contract.EventJson;
import dev.postonce.standalone.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Against a server that knows each body once, refuses titles that say so, and loses some answers. */
class SubmitCommandTest {

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newFixedThreadPool(16);
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Queue<String> keys = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> paths = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void lines_three_times_over_by_four_clients_are_each_created_once() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            lines.append("{\"external_id\":\"article_").append(i).append("\",\"title\":\"t\"}\n");
        }
        lines.append("{\"group_id\":\"@some_group\"}\n");
        assertThat(submit(lines.toString(), "--clients", "4", "--repeat", "3", "--json"))
                .isEqualTo(ExitCodes.OK);
        JsonNode report = EventJson.mapper().readTree(out.toString());
        assertThat(report.path("created").asInt()).isEqualTo(41);
        assertThat(report.path("replayed").asInt()).isEqualTo(82);
        assertThat(report.path("sent").asInt()).isEqualTo(123);
        assertThat(report.path("retries").asInt()).isPositive();
        assertThat(paths.get("/v1/groups").get()).isGreaterThanOrEqualTo(3);
        assertThat(Set.copyOf(keys))
                .as("one key for each submission, kept over its tries")
                .hasSize(123);
    }

    @Test
    void a_line_without_an_external_id_is_sent_without_a_key() throws IOException {
        assertThat(submit("{\"title\":\"t\",\"slug\":\"s\"}\n")).isEqualTo(ExitCodes.OK);
        assertThat(keys).containsOnly("none");
    }

    @Test
    void refusals_and_faults_are_told_by_their_lines() throws IOException {
        int exit = submit("{\"title\":\"t\"}\n\n{\"title\":\"refuse\"}\n{\"titel\":\"t\"}\nnonsense\n");
        assertThat(exit).isEqualTo(ExitCodes.FOUND);
        assertThat(out.toString())
                .contains("line 3: refused: 400 bad_payload: no such title")
                .contains("line 4: faulty: has fields that the API does not know: titel")
                .contains("line 5: faulty: is not JSON");
        assertThat(known).hasSize(1);
    }

    @Test
    void in_batches_tasks_go_many_to_a_request_and_groups_alone() throws IOException {
        StringBuilder lines = new StringBuilder("{\"group_id\":\"@some_group\"}\n");
        for (int i = 0; i < 600; i++) {
            lines.append("{\"external_id\":\"article_").append(i).append("\",\"title\":\"t\"}\n");
        }
        lines.append("{\"external_id\":\"bad\",\"title\":\"refuse\"}\n");

        assertThat(submit(lines.toString(), "--batch", "--json")).isEqualTo(ExitCodes.FOUND);

        JsonNode report = EventJson.mapper().readTree(out.toString());
        assertThat(report.path("created").asInt()).isEqualTo(601);
        assertThat(report.path("refused").asInt()).isEqualTo(1);
        assertThat(report.path("notes").path(0).path("line").asInt()).isEqualTo(602);
        assertThat(paths.get("/v1/tasks:batch").get()).isEqualTo(3);
        assertThat(paths).doesNotContainKey("/v1/tasks");
    }

    @Test
    void a_dry_run_sends_nothing() throws IOException {
        assertThat(submit("{\"title\":\"t\"}\n{\"x\":1}\n", "--dry-run")).isEqualTo(ExitCodes.FOUND);
        assertThat(requests).hasValue(0);
        assertThat(out.toString()).contains("line 2: faulty").contains("nothing was sent");
    }

    @Test
    void another_content_under_a_known_id_is_pointed_out() throws IOException {
        assertThat(submit("{\"title\":\"differs\",\"external_id\":\"x\"}\n")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).contains("line 1: differs: accepted before with another title");
    }

    @Test
    void wrong_usage_is_told() throws IOException {
        assertThat(submit("{}", "--clients", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(submit("{}", "--kind", "post")).isEqualTo(ExitCodes.USAGE);
        assertThat(run(directory.resolve("nowhere.jsonl").toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--clients is 1 to 256").contains("--kind is task or group");
    }

    private int submit(String lines, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("lines.jsonl"), lines);
        String[] all = new String[options.length + 1];
        all[0] = file.toString();
        System.arraycopy(options, 0, all, 1, options.length);
        return run(all);
    }

    private int run(String... options) {
        String[] all = new String[options.length + 4];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = "--url";
        all[options.length + 1] = "http://127.0.0.1:" + server.getAddress().getPort();
        all[options.length + 2] = "--key";
        all[options.length + 3] = "pk_dev_test";
        return new CommandLine(new SubmitCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (exchange.getRequestURI().getPath().endsWith(":batch")) {
            paths.computeIfAbsent("/v1/tasks:batch", path -> new AtomicInteger())
                    .incrementAndGet();
            send(exchange, 200, batch(body));
            return;
        }
        int number = requests.incrementAndGet();
        keys.add(key == null ? "none" : key);
        paths.computeIfAbsent(exchange.getRequestURI().getPath(), path -> new AtomicInteger())
                .incrementAndGet();
        if (body.contains("\"refuse\"")) {
            send(
                    exchange,
                    400,
                    "{\"error_code\":\"bad_payload\",\"retryable\":false,\"detail\":\"no such title\","
                            + "\"errors\":[{\"pointer\":\"/title\",\"detail\":\"is refused\"}]}");
            return;
        }
        if (number % 10 == 7) {
            // Storage is away for a moment: nothing was kept.
            send(exchange, 503, "{\"error_code\":\"storage_failed\",\"retryable\":true}");
            return;
        }
        boolean created = known.add(body);
        String differs = body.contains("differs") ? ",\"content_differs\":[\"title\"]" : "";
        boolean replay = !created || !differs.isEmpty();
        send(exchange, replay ? 200 : 201, "{\"ok\":true,\"idempotent_replay\":" + replay + differs + "}");
    }

    private String batch(String body) {
        StringBuilder answers = new StringBuilder();
        int number = 0;
        for (String line : body.split("\n")) {
            number++;
            boolean refused = line.contains("\"refuse\"");
            answers.append("{\"line\":")
                    .append(number)
                    .append(
                            refused
                                    ? ",\"status_code\":400,\"error_code\":\"bad_payload\",\"retryable\":false}\n"
                                    : ",\"status_code\":201,\"idempotent_replay\":" + !known.add(line) + "}\n");
        }
        return answers.append("{\"summary\":{\"complete\":true}}\n").toString();
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
