package dev.postonce.standalone.withdraw;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Against a server that has one task and loses its first answer to a change. */
class WithdrawCommandTest {

    private static final String TASK = "{\"ok\":true,\"external_id\":\"a-1\",\"slug\":\"双11\",\"status\":\"%s\","
            + "\"version\":%d,\"targets\":[{\"platform\":\"wordpress\",\"state\":\"published\"}]}";

    private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String status = "active";
    private long version = 3;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void an_article_found_by_its_slug_is_taken_back_for_the_version_that_was_found() {
        assertThat(run(
                        new WithdrawCommand(),
                        "--slug",
                        "双11",
                        "--site",
                        "blog",
                        "--status",
                        "archived",
                        "--reason",
                        "价格有误",
                        "--public",
                        "keep"))
                .as(err.toString())
                .isEqualTo(ExitCodes.OK);
        assertThat(changes).hasSize(2).allSatisfy(change -> assertThat(change).isEqualTo(changes.get(0)));
        assertThat(changes.get(0))
                .startsWith("POST /v1/tasks/a-1/withdraw \"3\" cli-")
                .endsWith("{\"status\":\"archived\",\"reason\":\"价格有误\",\"public\":\"keep\"}");
        assertThat(out.toString()).contains("a-1", "archived, version 4", "wordpress");
    }

    @Test
    void a_dry_run_shows_the_task_and_changes_nothing() {
        assertThat(run(
                        new WithdrawCommand(),
                        "--external-id",
                        "a-1",
                        "--status",
                        "draft",
                        "--reason",
                        "r",
                        "--dry-run",
                        "--json"))
                .isEqualTo(ExitCodes.OK);
        assertThat(changes).isEmpty();
        JsonNode told = EventJson.mapper().readTree(out.toString());
        assertThat(told.path("dry_run").asBoolean()).isTrue();
        assertThat(told.path("task").path("version").asLong()).isEqualTo(3);
        assertThat(told.path("withdraw").path("public").asString()).isEqualTo("gone");
    }

    @Test
    void restoring_needs_no_reason_and_a_refusal_is_told() {
        status = "archived";
        assertThat(run(new RestoreCommand(), "--external-id", "a-1", "--json")).isEqualTo(ExitCodes.OK);
        assertThat(EventJson.mapper()
                        .readTree(out.toString())
                        .path("task")
                        .path("status")
                        .asString())
                .isEqualTo("active");
        assertThat(run(new RestoreCommand(), "--external-id", "none")).isEqualTo(ExitCodes.FOUND);
        assertThat(err.toString()).contains("not_found");
        assertThat(run(new RestoreCommand(), "--slug", "unknown")).isEqualTo(ExitCodes.FOUND);
        assertThat(err.toString()).contains("there is no task of slug unknown");
    }

    @Test
    void one_name_a_status_and_a_reason_are_needed() {
        assertThat(run(new WithdrawCommand(), "--external-id", "a-1", "--reason", "r"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run(new WithdrawCommand(), "--external-id", "a-1", "--status", "draft"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run(new WithdrawCommand(), "--status", "draft", "--reason", "r"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(run(
                        new WithdrawCommand(),
                        "--external-id",
                        "a-1",
                        "--slug",
                        "s",
                        "--status",
                        "draft",
                        "--reason",
                        "r"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(changes).isEmpty();
    }

    private int run(Object command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", "http://127.0.0.1:" + server.getAddress().getPort(), "--key", "pk_x"));
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestMethod().equals("POST")) {
            changes.add("POST " + path + " " + exchange.getRequestHeaders().getFirst("If-Match") + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " " + body);
            if (changes.size() == 1) {
                status = path.endsWith("/restore")
                        ? "active"
                        : EventJson.mapper().readTree(body).path("status").asString();
                version++;
                exchange.close();
                return;
            }
            send(exchange, 200, TASK.formatted(status, version));
        } else if (path.equals("/v1/tasks/a-1")) {
            send(exchange, 200, TASK.formatted(status, version));
        } else if (path.equals("/v1/tasks?limit=2&slug=%E5%8F%8C11&site=blog")) {
            send(exchange, 200, "{\"ok\":true,\"tasks\":[" + TASK.formatted(status, version) + "]}");
        } else if (path.startsWith("/v1/tasks?")) {
            send(exchange, 200, "{\"ok\":true,\"tasks\":[]}");
        } else {
            send(exchange, 404, "{\"ok\":false,\"error_code\":\"not_found\",\"retryable\":false}");
        }
    }

    private static void send(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
