package dev.postonce.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Answers as it was told, in order, and keeps what it was sent. */
final class ScriptedServer implements AutoCloseable {

    /** @param status 0 closes the connection without an answer */
    record Answer(int status, String body, Map<String, String> headers) {}

    record Seen(String path, String body, @Nullable String idempotencyKey, @Nullable String authorization) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<Answer> script = new ArrayDeque<>();
    private final List<Seen> seen = new ArrayList<>();

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    ScriptedServer then(int status, String body, String... headers) {
        Map<String, String> named = new java.util.TreeMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            named.put(headers[i], headers[i + 1]);
        }
        script.add(new Answer(status, body, named));
        return this;
    }

    ScriptedServer thenHangUp() {
        return then(0, "");
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized List<Seen> seen() {
        return List.copyOf(seen);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        seen.add(new Seen(
                exchange.getRequestURI().getPath(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                exchange.getRequestHeaders().getFirst("Authorization")));
        Answer next = script.isEmpty() ? new Answer(500, "the script is over", Map.of()) : script.remove();
        if (next.status() != 0) {
            byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
            next.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(next.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
