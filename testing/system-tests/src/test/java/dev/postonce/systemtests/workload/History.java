package dev.postonce.systemtests.workload;

import dev.postonce.contract.EventJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every operation of every client, in memory and as JSON Lines: one line when it is invoked, one when it ends. */
public final class History implements AutoCloseable {

    private final BufferedWriter file;
    private final List<Operation> ended = new ArrayList<>();
    private long invoked;

    public History(Path path) {
        try {
            Files.createDirectories(path.getParent());
            this.file = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the operation's number */
    synchronized long invoke(Operation.Kind kind, String tenant, String subject, String idempotencyKey) {
        long number = ++invoked;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", number);
        line.put("event", "invoke");
        line.put("at_ns", System.nanoTime());
        line.put("kind", kind.name());
        line.put("tenant", tenant);
        line.put("subject", subject);
        line.put("idempotency_key", idempotencyKey);
        write(line);
        return number;
    }

    synchronized void end(Operation operation) {
        ended.add(operation);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", operation.number());
        line.put("event", operation.result().name().toLowerCase(java.util.Locale.ROOT));
        line.put("at_ns", System.nanoTime());
        line.put("status", operation.status());
        line.put("tries", operation.tries());
        line.put("id", operation.id());
        line.put("said", operation.said());
        write(line);
    }

    /** All that have ended. */
    public synchronized List<Operation> operations() {
        return List.copyOf(ended);
    }

    public synchronized Map<Operation.Result, Long> counts() {
        Map<Operation.Result, Long> counts = new EnumMap<>(Operation.Result.class);
        for (Operation.Result result : Operation.Result.values()) {
            counts.put(result, 0L);
        }
        ended.forEach(operation -> counts.merge(operation.result(), 1L, Long::sum));
        return counts;
    }

    private void write(Map<String, Object> line) {
        try {
            file.write(EventJson.write(line));
            file.newLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
