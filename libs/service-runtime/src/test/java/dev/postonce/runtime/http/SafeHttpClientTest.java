package dev.postonce.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.runtime.http.HttpOutcome.Answered;
import dev.postonce.runtime.http.HttpOutcome.NotSent;
import dev.postonce.runtime.http.HttpOutcome.Unknown;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a raw socket on loopback, which can misbehave as no HTTP server does. */
@Timeout(30)
class SafeHttpClientTest {

    private static final OutgoingPolicy POLICY =
            new OutgoingPolicy(true, true, Set.of(), Set.of(), Duration.ofMillis(800), Duration.ofMillis(700), 1000);
    private static final byte[] BODY = "{\"标题\":1}".getBytes(StandardCharsets.UTF_8);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> held = new CopyOnWriteArrayList<>();
    private SafeHttpClient client = new SafeHttpClient(POLICY);
    private ServerSocket server;

    @FunctionalInterface
    private interface Peer {
        void answer(Socket socket, OutputStream out) throws IOException;
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        for (Socket socket : held) {
            socket.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void the_exact_bytes_and_headers_are_sent_and_the_answer_is_read() throws IOException {
        URI url = peer((socket, out) -> write(out, "HTTP/1.1 202 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"));
        HttpOutcome outcome =
                client.send(HttpCall.post(url, Map.of("content-type", "application/json", "webhook-id", "m1"), BODY));
        Answered answer = (Answered) outcome;
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.isSuccess()).isTrue();
        assertThat(answer.header("x-a")).contains("1");
        assertThat(answer.bodyText()).isEqualTo("ok");
        assertThat(requests).singleElement().asString().contains("webhook-id: m1", "{\"标题\":1}");
        assertThat(requests.get(0).split("content-type", -1)).hasSize(2);
    }

    @Test
    void a_header_value_cannot_start_another_header() throws IOException {
        URI url = peer((socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        client.send(HttpCall.post(url, Map.of("x-title", "a\r\nx-evil: 1"), BODY));
        assertThat(String.join("", requests)).doesNotContain("\nx-evil");
    }

    @Test
    void a_redirect_is_an_answer_and_is_not_followed() throws IOException {
        URI url = peer((socket, out) -> write(
                out,
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:" + socket.getLocalPort()
                        + "/elsewhere\r\nContent-Length: 0\r\n\r\n"));
        assertThat(post(url)).isInstanceOfSatisfying(Answered.class, answer -> assertThat(answer.status())
                .isEqualTo(302));
        assertThat(requests).hasSize(1);
    }

    @Test
    void an_endless_body_is_cut() throws IOException {
        URI url = peer((socket, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "400\r\n" + "x".repeat(0x400) + "\r\n";
            while (true) {
                write(out, chunk);
            }
        });
        assertThat(post(url)).isInstanceOfSatisfying(Answered.class, answer -> {
            assertThat(answer.truncated()).isTrue();
            assertThat(answer.body()).hasSize(1000);
        });
    }

    @Test
    void endless_headers_are_cut_off() throws IOException {
        URI url = peer((socket, out) -> {
            write(out, "HTTP/1.1 200 OK\r\n");
            for (int i = 0; i < 100_000; i++) {
                write(out, "x-" + i + ": y\r\n");
            }
        });
        assertThat(post(url)).isInstanceOfSatisfying(Unknown.class, unknown -> assertThat(unknown.code())
                .isEqualTo("connection_broken"));
    }

    @Test
    void a_refused_connection_is_certainly_not_sent() throws IOException {
        URI url = peer((socket, out) -> {});
        server.close();
        assertThat(post(url)).isInstanceOfSatisfying(NotSent.class, notSent -> assertThat(notSent.code())
                .isEqualTo("connect_failed"));
    }

    @Test
    void an_answer_swallowed_after_the_request_is_unknown() throws IOException {
        URI url = peer((socket, out) -> socket.close());
        assertThat(post(url)).isInstanceOfSatisfying(Unknown.class, unknown -> assertThat(unknown.code())
                .isEqualTo("connection_broken"));
        assertThat(requests).as("and it is not sent again").hasSize(1);
    }

    @Test
    void a_reset_after_the_request_is_unknown() throws IOException {
        URI url = peer((socket, out) -> {
            socket.setSoLinger(true, 0);
            socket.close();
        });
        assertThat(post(url)).isInstanceOf(Unknown.class);
        assertThat(requests).hasSize(1);
    }

    @Test
    void silence_after_the_request_is_unknown() throws IOException {
        URI url = peer((socket, out) -> held.add(socket));
        assertThat(post(url)).isInstanceOfSatisfying(Unknown.class, unknown -> assertThat(unknown.code())
                .isEqualTo("timeout"));
    }

    @Test
    void an_answer_that_drips_for_ever_is_unknown_at_the_deadline() throws IOException {
        URI url = peer((socket, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            Object clock = new Object();
            while (true) {
                write(out, "x");
                synchronized (clock) {
                    try {
                        clock.wait(50);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        });
        assertThat(post(url)).isInstanceOfSatisfying(Unknown.class, unknown -> assertThat(unknown.code())
                .isEqualTo("timeout"));
    }

    @Test
    void half_a_body_is_unknown() throws IOException {
        URI url = peer((socket, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
            socket.close();
        });
        assertThat(post(url)).isInstanceOf(Unknown.class);
    }

    @Test
    void a_peer_that_speaks_no_tls_got_no_request() throws IOException {
        URI url = peer((socket, out) -> write(out, "HTTP/1.1 400 Bad Request\r\n\r\n"));
        HttpOutcome outcome = post(URI.create("https" + url.toString().substring(4)));
        assertThat(outcome).isInstanceOfSatisfying(NotSent.class, notSent -> assertThat(notSent.code())
                .isEqualTo("tls_failed"));
    }

    @Test
    void a_peer_that_never_ends_the_tls_handshake_got_no_request() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        assertThat(post(URI.create("https://127.0.0.1:" + server.getLocalPort() + "/")))
                .isInstanceOf(NotSent.class);
    }

    @Test
    void a_name_without_address_is_not_sent() {
        useResolver(host -> {
            throw new UnknownHostException(host);
        });
        assertThat(post(URI.create("https://gone.example.com/"))).isEqualTo(notSent("no_address"));
    }

    @Test
    void a_name_that_points_inside_is_blocked_also_when_only_one_of_its_addresses_does() {
        useResolver(host -> new InetAddress[] {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1")});
        assertThat(post(URI.create("https://mixed.example.com/")))
                .isInstanceOfSatisfying(
                        NotSent.class, notSent -> assertThat(notSent.code()).isEqualTo("blocked_address"));
    }

    @Test
    void a_name_that_points_elsewhere_when_asked_again_reaches_only_what_was_checked() throws IOException {
        URI inside = peer((socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        AtomicInteger asked = new AtomicInteger();
        client.close();
        OutgoingPolicy noLoopback = new OutgoingPolicy(
                true, false, Set.of(inside.getPort()), Set.of(), Duration.ofMillis(300), Duration.ofMillis(300), 1000);
        client = new SafeHttpClient(noLoopback, resolver(host -> new InetAddress[] {
            // Public at first, then inside; the public one is a documentation-like address that nobody answers at.
            InetAddress.getByName(asked.getAndIncrement() == 0 ? "240.0.0.1" : "127.0.0.1")
        }));
        URI rebinding = URI.create("http://rebind.example.com:" + inside.getPort() + "/");
        for (int i = 0; i < 3; i++) {
            assertThat(post(rebinding)).isInstanceOf(NotSent.class);
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void a_trusted_host_is_reached_inside_and_its_other_ports_are_not() throws IOException {
        URI inside = peer((socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        client.close();
        OutgoingPolicy strict = OutgoingPolicy.strict(Duration.ofMillis(700), 1000);
        client = new SafeHttpClient(strict.trusting(Set.of("sandbox:" + inside.getPort())), resolver(host ->
                new InetAddress[] {InetAddress.getLoopbackAddress()}));
        assertThat(post(URI.create("http://sandbox:" + inside.getPort() + "/"))).isInstanceOf(Answered.class);
        assertThat(post(URI.create("http://sandbox:" + (inside.getPort() - 1) + "/")))
                .isInstanceOf(NotSent.class);
        assertThat(post(URI.create("http://user@sandbox:" + inside.getPort() + "/")))
                .isInstanceOf(NotSent.class);
        assertThat(post(URI.create("https://elsewhere.example.com/"))).isInstanceOf(NotSent.class);
        assertThat(requests).hasSize(1);
    }

    @Test
    void a_refused_url_is_not_even_resolved() {
        AtomicInteger asked = new AtomicInteger();
        useResolver(host -> {
            asked.incrementAndGet();
            throw new UnknownHostException(host);
        });
        assertThat(post(URI.create("ftp://example.com/")))
                .isInstanceOfSatisfying(
                        NotSent.class, notSent -> assertThat(notSent.code()).isEqualTo("blocked_url"));
        assertThat(asked).hasValue(0);
    }

    private static NotSent notSent(String code) {
        return new NotSent(code, "the host has no address");
    }

    private HttpOutcome post(URI url) {
        return client.send(HttpCall.post(url, Map.of("content-type", "application/json"), BODY));
    }

    private void useResolver(ThrowingResolve resolve) {
        client.close();
        client = new SafeHttpClient(POLICY, resolver(resolve));
    }

    @FunctionalInterface
    private interface ThrowingResolve {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private static DnsResolver resolver(ThrowingResolve resolve) {
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                return resolve.resolve(host);
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host;
            }
        };
    }

    private URI peer(Peer peer) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerSocket listening = server;
        Thread thread = new Thread(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket socket = listening.accept();
                    held.add(socket);
                    requests.add(readRequest(socket.getInputStream()));
                    peer.answer(socket, socket.getOutputStream());
                } catch (IOException e) {
                    // the client went away, or the test ended
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/hook");
    }

    /** Headers, and the body that content-length announces. */
    private static String readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0 && head.length() < 5000) {
            int next = in.read();
            if (next < 0 || (head.length() == 0 && next == 0x16)) {
                return "";
            }
            head.append((char) next);
        }
        String text = head.toString();
        int at = text.toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ");
        int length = at < 0 ? 0 : Integer.parseInt(text.substring(at + 16, text.indexOf("\r\n", at)));
        return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
