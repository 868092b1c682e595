package dev.postonce.systemtests.workload;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that submit while everything goes wrong. A client tries a request a few times under the same key, and sets it
 * aside while nobody knows what became of it; {@link #settle} asks for those again once all is well.
 */
public final class Workload implements AutoCloseable {

    /** Where callbacks go; one endpoint for all tenants, since their bodies name the task. */
    public static final String CALLBACK_SINK = "upstream";

    private static final long PAUSE_MS_MAX = 800;
    private static final long OPERATIONS_AT_FULL_SPEED = 150;
    private static final int TRIES_AT_ONCE = 3;
    private static final long BETWEEN_TRIES_MS = 300;
    private static final Duration SETTLE_WITHIN = Duration.ofSeconds(60);

    private final Shapes shapes;
    private final Upstream upstream;
    private final History history;
    private final int clients;
    private final long pauseMs;
    private final String run;
    private final ConcurrentLinkedQueue<Unsettled> unsettled = new ConcurrentLinkedQueue<>();
    private ExecutorService threads;
    private volatile boolean running;

    private record Unsettled(Shapes.Request request, long number, long invokedAtMs, int tries, Upstream.Answer last) {}

    /**
     * @param run begins every id of this workload
     * @param pauseMs between two requests of one client
     */
    public Workload(Cluster cluster, String run, long seed, int clients, long pauseMs) {
        String callbacks = "http://127.0.0.1:"
                + cluster.link(new Link("ingest", Link.Peer.CALLBACKS)).port() + "/callbacks/" + CALLBACK_SINK;
        this.run = run;
        this.shapes = new Shapes(run, callbacks, seed);
        this.upstream = new Upstream(cluster.intakeUrl(), cluster.tenants()::key);
        this.history = new History(cluster.home().root().resolve("history-" + run + ".jsonl"));
        this.clients = clients;
        this.pauseMs = pauseMs;
    }

    public String run() {
        return run;
    }

    public History history() {
        return history;
    }

    public Workload start() {
        running = true;
        threads = Executors.newFixedThreadPool(clients, runnable -> {
            Thread thread = new Thread(runnable, "client-" + run);
            thread.setDaemon(true);
            return thread;
        });
        for (int i = 0; i < clients; i++) {
            threads.execute(this::client);
        }
        return this;
    }

    /** No new requests; returns when those that run have ended. */
    public void stop() throws InterruptedException {
        running = false;
        if (threads != null) {
            threads.shutdown();
            if (!threads.awaitTermination(120, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a client does not come back");
            }
        }
    }

    /**
     * Asks again for everything that is unknown, under the same keys, until each has an answer.
     *
     * @return what still has none
     */
    public List<String> settle() throws InterruptedException {
        long end = System.nanoTime() + SETTLE_WITHIN.toNanos();
        while (!unsettled.isEmpty() && System.nanoTime() - end < 0) {
            int round = unsettled.size();
            for (int i = 0; i < round; i++) {
                Unsettled one = unsettled.poll();
                attempt(one.request(), one.number(), one.invokedAtMs(), one.tries());
            }
            if (!unsettled.isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_TRIES_MS));
            }
        }
        List<String> left = new ArrayList<>();
        unsettled.forEach(one -> {
            left.add(one.request().kind() + " " + one.request().subject() + ": " + one.last());
            end(one.request(), one.number(), one.invokedAtMs(), one.tries(), one.last());
        });
        unsettled.clear();
        return left;
    }

    private void client() {
        try {
            while (running) {
                Shapes.Request request = shapes.next();
                long number =
                        history.invoke(request.kind(), request.tenant(), request.subject(), request.idempotencyKey());
                attempt(request, number, nowMs(), 0);
                // A fault that takes long is not to drown a small machine in work.
                long pause = Math.min(PAUSE_MS_MAX, pauseMs * (1 + number / OPERATIONS_AT_FULL_SPEED));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(Shapes.Request request, long number, long invokedAtMs, int triesBefore)
            throws InterruptedException {
        int tries = triesBefore;
        Upstream.Answer answer;
        do {
            if (tries > triesBefore) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_TRIES_MS));
            }
            answer = upstream.send(request);
            tries++;
        } while (answer.result() == Operation.Result.UNKNOWN && tries < triesBefore + TRIES_AT_ONCE);
        if (answer.result() == Operation.Result.UNKNOWN) {
            unsettled.add(new Unsettled(request, number, invokedAtMs, tries, answer));
        } else {
            shapes.learned(request, answer.version());
            end(request, number, invokedAtMs, tries, answer);
        }
    }

    private void end(Shapes.Request request, long number, long invokedAtMs, int tries, Upstream.Answer answer) {
        history.end(new Operation(
                number,
                request.kind(),
                request.tenant(),
                request.subject(),
                request.idempotencyKey(),
                request.body(),
                invokedAtMs,
                nowMs(),
                tries,
                answer.result(),
                answer.status(),
                answer.id(),
                answer.said()));
    }

    private static long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public void close() throws InterruptedException {
        stop();
        history.close();
    }
}
