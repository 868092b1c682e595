package dev.postonce.ingest.callback;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An upstream's endpoint: keeps every request, checks signatures by itself, answers as it is told. */
public final class CallbackSink implements AutoCloseable {

    /** Sends an answer for the n-th request (from 1) to its path. */
    @FunctionalInterface
    public interface Answer {
        void to(HttpExchange exchange, int nth) throws IOException;
    }

    public record Delivery(String path, String id, long timestamp, String signature, String body, long receivedNanos) {

        public JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        public long sequence() {
            return json().get("sequence").asLong();
        }

        /** As a receiver does it: any of the signatures, by its own secret. */
        public boolean isSignedBy(String secret) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                byte[] signed = mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
                return List.of(signature.split(" "))
                        .contains("v1," + Base64.getEncoder().encodeToString(signed));
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile Answer answer = status(204);

    public CallbackSink() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public static Answer status(int code) {
        return (exchange, nth) -> exchange.sendResponseHeaders(code, -1);
    }

    /** Takes the request and never answers, as a receiver that hangs. */
    public static Answer hang(CountDownLatch until) {
        return (exchange, nth) -> {
            try {
                until.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    public void answers(Answer next) {
        answer = next;
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    public List<Delivery> deliveries() {
        return List.copyOf(deliveries);
    }

    public List<Delivery> deliveriesTo(String path) {
        return deliveries.stream()
                .filter(delivery -> delivery.path().equals(path))
                .toList();
    }

    public void forget() {
        deliveries.clear();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            deliveries.add(new Delivery(
                    path,
                    exchange.getRequestHeaders().getFirst("webhook-id"),
                    Long.parseLong(exchange.getRequestHeaders().getFirst("webhook-timestamp")),
                    exchange.getRequestHeaders().getFirst("webhook-signature"),
                    body,
                    System.nanoTime()));
            answer.to(exchange, deliveriesTo(path).size());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
