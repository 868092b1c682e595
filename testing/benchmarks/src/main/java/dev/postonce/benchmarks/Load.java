package dev.postonce.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Clients that each send one request after the other over a connection of their own, as pgbench's do. Written on
 * sockets, because the generator shares the machine with what it measures.
 */
final class Load {

    private static final int ANSWER_TIMEOUT_MS = 30_000;

    /**
     * @param perSecond answers a second
     * @param p50Ms half of the answers took at most so long
     * @param p99Ms 99 of 100 did
     */
    record Result(long answers, double perSecond, double p50Ms, double p99Ms) {}

    private final Service service;
    private final int expectedStatus;

    /** @param expectedStatus any other answer fails the run: a figure of refusals would be no figure */
    Load(Service service, int expectedStatus) {
        this.service = service;
        this.expectedStatus = expectedStatus;
    }

    /** @param numbers gives each request its article */
    Result run(int clients, long milliseconds, AtomicLong numbers) throws InterruptedException {
        return run(clients, milliseconds, numbers::getAndIncrement);
    }

    /** @param numbers gives each request its article; asked by several threads */
    Result run(int clients, long milliseconds, LongSupplier numbers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        CountDownLatch ready = new CountDownLatch(clients);
        CountDownLatch start = new CountDownLatch(1);
        long[] end = new long[1];
        try {
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(client(ready, start, end, numbers)));
            }
            ready.await();
            long began = System.nanoTime();
            end[0] = began + TimeUnit.MILLISECONDS.toNanos(milliseconds);
            start.countDown();
            long[] times =
                    running.stream().flatMapToLong(Load::timesOf).sorted().toArray();
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Result(times.length, times.length / seconds, at(times, 0.5), at(times, 0.99));
        } finally {
            threads.shutdownNow();
        }
    }

    void once(long number) throws IOException {
        try (Connection connection = new Connection(service.port())) {
            Answer answer = connection.ask(new Template(service).with(number));
            if (answer.status() != expectedStatus) {
                throw new IOException("answered " + answer.status() + " where " + expectedStatus + " was expected");
            }
        }
    }

    private static LongStream timesOf(Future<long[]> client) {
        try {
            return Arrays.stream(client.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
    }

    private Callable<long[]> client(CountDownLatch ready, CountDownLatch start, long[] end, LongSupplier numbers) {
        return () -> {
            Connection connection = null;
            try {
                connection = new Connection(service.port());
                Template template = new Template(service);
                LongStream.Builder times = LongStream.builder();
                ready.countDown();
                start.await();
                long before = System.nanoTime();
                while (before < end[0]) {
                    Answer answer = connection.ask(template.with(numbers.getAsLong()));
                    long after = System.nanoTime();
                    if (answer.status() != expectedStatus) {
                        throw new IOException(
                                "answered " + answer.status() + " where " + expectedStatus + " was expected");
                    }
                    times.add(after - before);
                    if (answer.closes()) {
                        connection.close();
                        connection = new Connection(service.port());
                    }
                    before = after;
                }
                return times.build().toArray();
            } finally {
                ready.countDown();
                if (connection != null) {
                    connection.close();
                }
            }
        };
    }

    private static final class Connection implements AutoCloseable {

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_TIMEOUT_MS);
            in = new BufferedInputStream(socket.getInputStream(), 16_384);
            out = socket.getOutputStream();
        }

        Answer ask(byte[] request) throws IOException {
            out.write(request);
            return Answer.read(in);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A whole request, in which only the number changes. */
    private static final class Template {

        private final byte[] bytes;
        private final int[] places;

        Template(Service service) {
            String hole = "#".repeat(Article.ID_DIGITS);
            String body = Article.json(hole);
            String request = "POST /v1/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + service.apiKey()
                    + "\r\nContent-Type: application/json\r\nIdempotency-Key: \"key-" + hole + "\"\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
            this.bytes = request.getBytes(StandardCharsets.UTF_8);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            List<Integer> found = new ArrayList<>();
            for (int at = text.indexOf(hole); at >= 0; at = text.indexOf(hole, at + 1)) {
                found.add(at);
            }
            this.places = found.stream().mapToInt(Integer::intValue).toArray();
        }

        byte[] with(long number) {
            byte[] digits = Article.digits(number).getBytes(StandardCharsets.US_ASCII);
            for (int place : places) {
                System.arraycopy(digits, 0, bytes, place, digits.length);
            }
            return bytes;
        }
    }
}
