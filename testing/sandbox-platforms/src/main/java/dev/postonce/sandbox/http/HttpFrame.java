package dev.postonce.sandbox.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postonce.sandbox.journal.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The listening socket and its bounded threads; gives each whole request to the router. */
public final class HttpFrame implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(HttpFrame.class.getName());
    private static final int THREADS = 32;
    private static final int QUEUE_REQUESTS_MAX = 4096;
    private static final int BACKLOG = 1024;
    private static final int BODY_BYTES_MAX = 16 << 20;

    static {
        // The JDK's server writes head and body apart; without this each answer waits for a delayed acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    public HttpFrame(String address, int port, Router router) {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(QUEUE_REQUESTS_MAX),
                runnable -> {
                    Thread thread = new Thread(runnable, "sandbox-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.CallerRunsPolicy());
        threads.allowCoreThreadTimeOut(true);
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
        } catch (IOException e) {
            threads.shutdownNow();
            throw new UncheckedIOException("the sandbox cannot listen on " + address + ":" + port, e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, router));
    }

    public void start() {
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void handle(HttpExchange exchange, Router router) {
        try {
            byte[] body;
            try (InputStream in = exchange.getRequestBody()) {
                body = in.readNBytes(BODY_BYTES_MAX + 1);
            }
            if (body.length > BODY_BYTES_MAX) {
                send(exchange, Answer.text(413, "text/plain", "a body has at most " + BODY_BYTES_MAX + " bytes\n"));
                return;
            }
            Map<String, String> headers = new LinkedHashMap<>();
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!values.isEmpty()) {
                    headers.put(name.toLowerCase(Locale.ROOT), values.get(values.size() - 1));
                }
            });
            router.route(exchange, headers, body);
        } catch (IOException e) {
            // The client went away while it was speaking.
            exchange.close();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the sandbox failed; the request is answered 500", e);
            send(
                    exchange,
                    Answer.json(500, Json.object().put("code", "sandbox_failed").put("message", e.toString())));
        }
    }

    /** Sends the answer; a client that is gone does not matter, its request has been acted upon. */
    static void send(HttpExchange exchange, Answer answer) {
        try (exchange) {
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            boolean bodiless = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : answer.bodyBytes());
            if (!bodiless && answer.bodyBytes() >= 0) {
                try (OutputStream out = exchange.getResponseBody()) {
                    answer.body().writeTo(out);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer could not be sent", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
