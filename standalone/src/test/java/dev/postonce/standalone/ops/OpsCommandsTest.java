package dev.postonce.standalone.ops;

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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the commands ask for, what they print, and their exit codes; against a server that answers by rote. */
class OpsCommandsTest {

    private static final String KEY =
            """
            {"key_id":"abcdef123456","client_id":"cms","state":"active","scopes":["submit","read"],"rate_per_second":null,
             "created_at":"2026-11-11T00:00:00Z","last_used_at":"2026-11-11T00:00:01.123456Z","revoked_at":null}""";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private volatile int status = 200;
    private volatile String answer = "{}";
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

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body + " "
                + exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void a_new_key_is_printed_once_with_what_to_do_next() {
        answer = "{\"ok\":true,\"dry_run\":false,\"key\":" + KEY
                + ",\"api_key\":\"pk_dev_x\",\"next\":\"Keep it now.\"}";
        assertThat(keys("create", "cms", "--scopes", "submit,read", "--rate", "5"))
                .isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).startsWith("pk_dev_x").contains("Keep it now.", "密钥只显示这一次");
        assertThat(asked)
                .containsExactly(
                        "POST /v1/keys {\"client_id\":\"cms\",\"scopes\":[\"submit\",\"read\"],\"rate_per_second\":5}"
                                + " Bearer secret");
    }

    @Test
    void a_dry_run_asks_for_one_and_says_so() {
        answer = "{\"ok\":true,\"dry_run\":true,\"idempotent_replay\":false,\"key\":" + KEY + "}";
        assertThat(keys("rotate", "abcdef123456", "--dry-run")).isEqualTo(ExitCodes.OK);
        assertThat(keys("revoke", "abcdef123456", "--dry-run")).isEqualTo(ExitCodes.OK);
        assertThat(asked.get(0)).startsWith("POST /v1/keys/abcdef123456:rotate?dry_run=true {}");
        assertThat(asked.get(1)).startsWith("POST /v1/keys/abcdef123456:revoke?dry_run=true {}");
        assertThat(out.toString()).contains("dry run: a key for cms with submit,read", "would be revoked 将被吊销");
    }

    @Test
    void keys_are_listed_in_columns_or_as_json() {
        answer = "{\"ok\":true,\"keys\":[" + KEY + "]}";
        assertThat(keys("list")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString()).contains("abcdef123456", "submit,read", "2026-11-11T00:00:01Z");
        out.getBuffer().setLength(0);
        assertThat(keys("list", "--json")).isEqualTo(ExitCodes.OK);
        assertThat(EventJson.mapper()
                        .readTree(out.toString())
                        .path("keys")
                        .path(0)
                        .path("client_id")
                        .asString())
                .isEqualTo("cms");
    }

    @Test
    void a_callback_secret_is_made_or_only_looked_at() {
        answer = "{\"ok\":true,\"dry_run\":false,\"callback_secret\":\"whsec_x\",\"next\":\"n\","
                + "\"secrets\":[{\"state\":\"present\",\"signs_until\":null}]}";
        assertThat(keys("callback-secret", "--keep-old", "60")).isEqualTo(ExitCodes.OK);
        assertThat(keys("callback-secret", "--show")).isEqualTo(ExitCodes.OK);
        assertThat(asked.get(0)).startsWith("POST /v1/keys/callback-secret:rotate {\"keep_old_s\":60}");
        assertThat(asked.get(1)).startsWith("GET /v1/keys/callback-secret ");
        assertThat(out.toString()).contains("whsec_x", "present, signs until -");
    }

    @Test
    void an_intake_secret_is_made_listed_and_revoked() {
        String secret =
                "{\"key_id\":\"k1\",\"client_id\":\"cms\",\"state\":\"active\",\"created_at\":\"2026-11-11T00:00:01Z\"}";
        answer = "{\"ok\":true,\"dry_run\":false,\"intake_secret\":\"pis_x\",\"next\":\"n\",\"secret\":" + secret
                + ",\"secrets\":[" + secret + "]}";
        assertThat(keys("intake-secret", "create", "cms")).isEqualTo(ExitCodes.OK);
        assertThat(keys("intake-secret", "list")).isEqualTo(ExitCodes.OK);
        assertThat(keys("intake-secret", "revoke", "k1", "--dry-run")).isEqualTo(ExitCodes.OK);
        assertThat(asked.get(0)).startsWith("POST /v1/intake-secrets {\"client_id\":\"cms\"}");
        assertThat(asked.get(1)).startsWith("GET /v1/intake-secrets ");
        assertThat(asked.get(2)).startsWith("POST /v1/intake-secrets/k1:revoke?dry_run=true {}");
        assertThat(out.toString()).startsWith("pis_x").contains("postonce-key-id k1 of cms", "密钥只显示这一次", "2026-11-11");
    }

    @Test
    void audit_entries_are_listed_and_followed_up() {
        String entry =
                """
                {"id":7,"at":"2026-11-11T00:00:00Z","outcome":"conflict","error_code":"slug_conflict","route":"POST /v1/tasks",
                 "external_id":"a-1","group":null,"client_id":"cms","follow_up":%s}""";
        answer = "{\"ok\":true,\"entries\":[" + entry.formatted("null") + "],\"next_cursor\":\"7\"}";
        assertThat(run("audit", "list", "--open", "--error-code", "slug_conflict"))
                .isEqualTo(ExitCodes.OK);
        assertThat(asked.get(0)).startsWith("GET /v1/audit?limit=50&open=true&error_code=slug_conflict ");
        assertThat(out.toString()).contains("7  2026-11-11T00:00:00Z  conflict  slug_conflict", "a-1", "--cursor 7");

        answer = "{\"ok\":true,\"dry_run\":false,\"idempotent_replay\":false,\"entry\":"
                + entry.formatted("{\"note\":\"改了 slug\",\"client_id\":\"ops\"}") + "}";
        assertThat(run("audit", "resolve", "7", "--note", "改了 slug")).isEqualTo(ExitCodes.OK);
        assertThat(asked.get(1)).startsWith("POST /v1/audit/7:resolve {\"note\":\"改了 slug\"}");
        assertThat(out.toString()).contains("7 conflict slug_conflict is followed up 已跟进");
    }

    @Test
    void a_refusal_is_told_with_its_reason_and_exit_code_1() {
        status = 409;
        answer =
                "{\"ok\":false,\"error_code\":\"key_conflict\",\"detail\":\"the client has 2 keys\",\"next\":\"Revoke one.\"}";
        assertThat(keys("rotate", "abcdef123456")).isEqualTo(ExitCodes.FOUND);
        assertThat(err.toString()).contains("409 key_conflict: the client has 2 keys", "Revoke one.");
        assertThat(out.toString()).isEmpty();
        assertThat(asked).as("nothing is repeated").hasSize(1);
    }

    @Test
    void a_silent_service_is_exit_code_4_and_a_wrong_use_2() {
        server.stop(0);
        assertThat(keys("list")).isEqualTo(ExitCodes.NOT_RUNNING);
        assertThat(keys("create", "cms")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("audit", "resolve", "x", "--note", "n")).isEqualTo(ExitCodes.USAGE);
    }

    private int keys(String... arguments) {
        List<String> all = new ArrayList<>(List.of("keys"));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        all.add("--url");
        all.add("http://127.0.0.1:" + server.getAddress().getPort());
        all.add("--key");
        all.add("secret");
        Object command = arguments[0].equals("keys") ? new KeysCommand() : new AuditCommand();
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }
}
