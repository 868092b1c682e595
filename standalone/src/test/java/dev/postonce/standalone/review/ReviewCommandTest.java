package dev.postonce.standalone.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postonce.contract.EventJson;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.review.UrlCheck.Page;
import dev.postonce.standalone.review.UrlCheck.Wrong;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Against a server that answers as the service's review does, and that serves pages too. */
class ReviewCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private int found;
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

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int status = 200;
        String body = "page";
        if (path.startsWith("/status/")) {
            status = Integer.parseInt(path.substring("/status/".length()));
        } else if (path.equals("/v1/review")
                && exchange.getRequestHeaders().getFirst("Authorization").endsWith("reader")) {
            status = 403;
            body =
                    "{\"ok\":false,\"error_code\":\"forbidden\",\"detail\":\"the key lacks the scope 'ops'\",\"retryable\":false}";
        } else if (path.equals("/v1/review")) {
            body = "{\"ok\":true,\"since\":\"a\",\"until\":\"b\",\"found\":" + found
                    + ",\"questions\":[{\"question\":\"open_audits\",\"text\":\"open\",\"text_zh\":\"未处理\",\"found\":"
                    + found
                    + ",\"next\":\"decide\",\"entries\":[{\"subject\":\"x_v1\",\"detail\":\"conflict\",\"at\":\"t\"}]}]}";
        } else if (path.equals("/v1/tasks")) {
            body = "{\"ok\":true,\"tasks\":[{\"external_id\":\"here\",\"status\":\"active\",\"url\":\"" + url()
                    + "/status/200\"},{\"external_id\":\"lost\",\"status\":\"active\",\"url\":\"" + url()
                    + "/status/404\"},{\"external_id\":\"nowhere\",\"status\":\"active\",\"url\":null}],\"next_cursor\":null}";
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private int review(String... options) {
        CommandLine command = new CommandLine(new ReviewCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        String[] arguments = new String[options.length + 2];
        arguments[0] = "--url";
        arguments[1] = url();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return command.execute(arguments);
    }

    @Test
    void nothing_to_follow_up_is_success() {
        assertThat(review("--week", "--key", "k")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).contains("nothing to follow up");
    }

    @Test
    void what_was_found_is_told_with_what_to_do() {
        found = 1;
        assertThat(review("--key", "k")).isEqualTo(ExitCodes.FOUND);
        assertThat(out.toString()).contains("x_v1: conflict (t)", "→ decide", "1 to follow up");
    }

    @Test
    void a_key_without_the_scope_and_odd_options_are_wrong_usage() {
        assertThat(review("--key", "reader")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("403 forbidden");
        assertThat(review("--key", "k", "--days", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(review("--key", "k", "--days", "3", "--week")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void without_leave_no_page_on_this_machine_is_asked() {
        assertThat(review("--key", "k", "--check-urls", "--json")).isEqualTo(ExitCodes.FOUND);
        JsonNode urls = EventJson.mapper().readTree(out.toString()).path("urls");
        assertThat(urls.path("asked").asInt()).isEqualTo(2);
        assertThat(urls.path("wrong").path(0).path("detail").asString()).contains("blocked");
    }

    @Test
    void pages_are_judged_by_whether_they_should_be_there() throws InterruptedException {
        try (SafeHttpClient http = new SafeHttpClient(OutgoingPolicy.loopbackToo(Duration.ofSeconds(5), 1_000))) {
            List<Wrong> wrong = new UrlCheck(http)
                    .ask(List.of(
                            new Page("shown", url() + "/status/200", true),
                            new Page("lost", url() + "/status/404", true),
                            new Page("moved", url() + "/status/301", true),
                            new Page("gone", url() + "/status/410", false),
                            new Page("still", url() + "/status/200", false)));
            assertThat(wrong).extracting(Wrong::externalId).containsExactly("lost", "moved", "still");
        }
    }
}
