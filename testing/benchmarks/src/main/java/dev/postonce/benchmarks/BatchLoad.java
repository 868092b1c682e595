package dev.postonce.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that each send one batch after the other, the same articles and keys as single submissions have. */
final class BatchLoad {

    private static final int ANSWER_TIMEOUT_MS = 60_000;
    private static final String CREATED = "\"status_code\":201";
    private static final String COMPLETE = "\"complete\":true";

    private final Service service;
    private final int lines;

    /** @param lines of each batch */
    BatchLoad(Service service, int lines) {
        this.service = service;
        this.lines = lines;
    }

    /** @return lines a second, each of them created: a figure of anything else would be no figure */
    double run(int clients, long milliseconds, AtomicLong numbers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            long began = System.nanoTime();
            long end = began + TimeUnit.MILLISECONDS.toNanos(milliseconds);
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(client(end, numbers)));
            }
            long stored = 0;
            for (Future<Long> client : running) {
                stored += client.get();
            }
            return stored / ((System.nanoTime() - began) / 1e9);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Long> client(long end, AtomicLong numbers) {
        return () -> {
            long stored = 0;
            while (System.nanoTime() < end) {
                send(body(numbers));
                stored += lines;
            }
            return stored;
        };
    }

    private byte[] body(AtomicLong numbers) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String digits = Article.digits(numbers.getAndIncrement());
            body.append("{\"idempotency_key\":\"key-").append(digits).append("\",");
            String article = Article.json(digits);
            body.append(article, 1, article.length()).append('\n');
        }
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** HTTP/1.0, so that the answer ends with the connection and needs no decoding here. */
    private void send(byte[] body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port())) {
            socket.setSoTimeout(ANSWER_TIMEOUT_MS);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/tasks:batch HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + service.apiKey()
                            + "\r\nContent-Type: application/x-ndjson\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String answer = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            if (answer.split(CREATED, -1).length - 1 != lines || !answer.contains(COMPLETE)) {
                throw new IOException(
                        "a batch was not stored whole: " + answer.substring(Math.max(0, answer.length() - 400)));
            }
        }
    }
}
