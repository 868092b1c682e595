package dev.postonce.standalone.check;

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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Against a server that finds what the line asks it to find. */
class CheckCommandTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/tasks:check", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String line = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = line.startsWith("{") ? 200 : 400;
        asked.add(line);
        String level = line.contains("error") ? "error" : "warning";
        String findings = line.contains("good")
                ? "[]"
                : "[{\"code\":\"slug_form\",\"level\":\"" + level
                        + "\",\"pointer\":\"/slug\",\"detail\":\"odd\",\"detail_zh\":\"不规范\"}]";
        String body = status == 400
                ? "{\"ok\":false,\"error_code\":\"bad_payload\",\"detail\":\"not JSON\",\"retryable\":false}"
                : "{\"ok\":true,\"external_id\":\"x_v1\",\"findings\":" + findings + "}";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private int check(String lines, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("lines.jsonl"), lines);
        CommandLine command = new CommandLine(new CheckCommand()).setOut(new PrintWriter(out, true));
        String[] arguments = new String[options.length + 5];
        System.arraycopy(options, 0, arguments, 0, options.length);
        System.arraycopy(
                new String[] {
                    "--url", "http://127.0.0.1:" + server.getAddress().getPort(), "--key", "k", file.toString()
                },
                0,
                arguments,
                options.length,
                5);
        return command.execute(arguments);
    }

    @Test
    void lines_without_errors_pass_and_warnings_are_told() throws IOException {
        assertThat(check("{\"good\":1}\n\n{\"warn\":1}\n")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).contains("line 3 x_v1: warning slug_form /slug: odd 不规范", "2 checked");
    }

    @Test
    void an_error_and_an_unreadable_line_are_found() throws IOException {
        assertThat(check("{\"error\":1}\nnonsense\n", "--json")).isEqualTo(ExitCodes.FOUND);
        JsonNode report = EventJson.mapper().readTree(out.toString());
        assertThat(report.path("errors").asInt()).isEqualTo(2);
        assertThat(report.path("findings").path(1).path("code").asString()).isEqualTo("not_readable");
    }

    @Test
    void strict_takes_warnings_for_errors() throws IOException {
        assertThat(check("{\"warn\":1}\n", "--strict")).isEqualTo(ExitCodes.FOUND);
    }

    @Test
    void what_all_tasks_get_is_filled_in_as_for_a_submission() throws IOException {
        String[] defaults = {"--platforms", "wordpress,webhook", "--group-code", "brand"};
        assertThat(check("{\"good\":1}\n{\"good\":1,\"target_platforms\":[\"zhihu\"]}\n", defaults))
                .isEqualTo(ExitCodes.OK);
        assertThat(asked)
                .containsExactly(
                        "{\"good\":1,\"target_platforms\":[\"wordpress\",\"webhook\"],\"group_code\":\"brand\"}",
                        "{\"good\":1,\"target_platforms\":[\"zhihu\"],\"group_code\":\"brand\"}");
    }

    @Test
    void what_is_no_json_object_goes_as_it_is() throws IOException {
        assertThat(check("nonsense\n", "--platforms", "webhook")).isEqualTo(ExitCodes.FOUND);
        assertThat(asked).containsExactly("nonsense");
    }
}
