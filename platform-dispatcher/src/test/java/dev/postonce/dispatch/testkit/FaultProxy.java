package dev.postonce.dispatch.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands before any HTTP server, real or not, and spoils chosen requests. */
public final class FaultProxy implements AutoCloseable {

    /** What is done to one request. */
    public interface Fault {
        void apply(Call call) throws Exception;
    }

    private static final Set<String> NOT_FORWARDED =
            Set.of("host", "connection", "content-length", "upgrade", "http2-settings", "transfer-encoding");

    private final HttpServer server;
    private final URI target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Planned> planned = new ConcurrentLinkedQueue<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private record Planned(String method, Fault fault) {}

    /** One request on its way. */
    public final class Call {
        private final HttpExchange exchange;
        private final byte[] body;

        Call(HttpExchange exchange, byte[] body) {
            this.exchange = exchange;
            this.body = body;
        }

        public HttpResponse<byte[]> forward() throws Exception {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            target.resolve(exchange.getRequestURI().toString()))
                    .method(
                            exchange.getRequestMethod(),
                            body.length == 0
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!NOT_FORWARDED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }

        public void answer(HttpResponse<byte[]> response) throws IOException {
            for (Map.Entry<String, List<String>> header :
                    response.headers().map().entrySet()) {
                if (!NOT_FORWARDED.contains(header.getKey()) && !header.getKey().startsWith(":")) {
                    header.getValue()
                            .forEach(value -> exchange.getResponseHeaders().add(header.getKey(), value));
                }
            }
            answer(response.statusCode(), response.body());
        }

        public void answer(int status, byte[] bytes) throws IOException {
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }

        public void answerHeader(String name, String value) {
            exchange.getResponseHeaders().set(name, value);
        }
    }

    public FaultProxy(URI target) {
        this.target = target;
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Spoils the next request of that method that has no fault yet. */
    public void next(String method, Fault fault) {
        planned.add(new Planned(method, fault));
    }

    public static Fault swallow() {
        return Call::forward;
    }

    public static Fault drop() {
        return call -> {};
    }

    public static Fault statusAfter(int status) {
        return call -> {
            call.forward();
            call.answer(status, "{\"code\":\"gateway\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        };
    }

    public static Fault status(int status, String... headers) {
        return call -> {
            for (int i = 0; i < headers.length; i += 2) {
                call.answerHeader(headers[i], headers[i + 1]);
            }
            call.answer(status, new byte[0]);
        };
    }

    /** The peer hears of it only after this; the asker has gone by then. */
    public static Fault after(java.util.concurrent.CountDownLatch latch) {
        return call -> {
            latch.await();
            call.forward();
        };
    }

    /** Something happens between the asker's look and its request. */
    public static Fault first(Runnable before) {
        return call -> {
            before.run();
            call.answer(call.forward());
        };
    }

    public static Fault twice() {
        return call -> {
            call.forward();
            call.answer(call.forward());
        };
    }

    public long count(String method) {
        return seen.stream().filter(method::equals).count();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Call call = new Call(exchange, exchange.getRequestBody().readAllBytes());
        String method = exchange.getRequestMethod();
        seen.add(method);
        Planned mine = null;
        for (Planned one : planned) {
            if (one.method().equals(method) && planned.remove(one)) {
                mine = one;
                break;
            }
        }
        try {
            if (mine == null) {
                call.answer(call.forward());
            } else {
                mine.fault().apply(call);
            }
        } catch (Exception e) {
            // The asker gave up, or the peer is gone: both are what these tests are about.
            return;
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
