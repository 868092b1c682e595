package dev.postonce.systemtests.workload;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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

    private static final long PAUSE_MS_MAX = 1_000;
    private static final long OPERATIONS_AT_FULL_SPEED = 150;
    private static final int CREATED = 201;
    private static final int TRIES_AT_ONCE = 3;
    private static final long BETWEEN_TRIES_MS = 300;
    private static final Duration SETTLE_WITHIN = Duration.ofSeconds(60);

    private final Shapes shapes;
    private final Upstream upstream;
    private final IntakeTopic topic;
    private final History history;
    private final int clients;
    private final long pauseMs;
    private final String run;
    private final ConcurrentLinkedQueue<Unsettled> unsettled = new ConcurrentLinkedQueue<>();
    private final List<String> lost = Collections.synchronizedList(new ArrayList<>());
    private ExecutorService threads;
    private volatile boolean running;

    /** @param taken whether Kafka has it as a record */
    private record Unsettled(
            Request request, long number, long invokedAtMs, int tries, Upstream.Answer last, boolean taken) {}

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
        this.topic = new IntakeTopic(cluster);
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
        List<String> left = new ArrayList<>();
        if (!topic.awaitRead(SETTLE_WITHIN)) {
            left.add("records of the intake topic were not read");
        }
        long end = System.nanoTime() + SETTLE_WITHIN.toNanos();
        while (!unsettled.isEmpty() && System.nanoTime() - end < 0) {
            int round = unsettled.size();
            for (int i = 0; i < round; i++) {
                Unsettled one = unsettled.poll();
                attempt(one.request(), one.number(), one.invokedAtMs(), one.tries(), one.taken());
            }
            if (!unsettled.isEmpty()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_TRIES_MS));
            }
        }
        unsettled.forEach(one -> {
            left.add(one.request().kind() + " " + one.request().subject() + ": " + one.last());
            end(one.request(), one.number(), one.invokedAtMs(), one.tries(), one.last());
        });
        unsettled.clear();
        return left;
    }

    /**
     * One that a test knows by its name, each time the same under the same key; it is no part of the history.
     *
     * @return the answer's status; 0 without one
     */
    public int submit(String externalId) throws InterruptedException {
        return upstream.send(shapes.named(externalId)).status();
    }

    private void client() {
        try {
            while (running) {
                List<Request> requests = shapes.next();
                List<Long> numbers = requests.stream().map(this::invoke).toList();
                long number = numbers.get(numbers.size() - 1);
                if (requests.size() > 1) {
                    batch(requests, numbers);
                } else if (requests.get(0).onTopic()) {
                    record(requests.get(0), number);
                } else {
                    attempt(requests.get(0), number, nowMs(), 0, false);
                }
                // A fault that takes long is not to drown a small machine in work.
                long pause = Math.min(PAUSE_MS_MAX, pauseMs * (1 + number / OPERATIONS_AT_FULL_SPEED));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long invoke(Request request) {
        return history.invoke(request.kind(), request.tenant(), request.subject(), request.idempotencyKey());
    }

    /** Lines without an answer are asked for one by one. */
    private void batch(List<Request> lines, List<Long> numbers) throws InterruptedException {
        long invokedAtMs = nowMs();
        List<Upstream.Answer> answers = upstream.sendBatch(lines);
        for (int i = 0; i < lines.size(); i++) {
            answered(lines.get(i), numbers.get(i), invokedAtMs, 1, answers.get(i), false);
        }
    }

    /** Nobody answers a record; what became of it is asked for under its key, once all records are read. */
    private void record(Request request, long number) throws InterruptedException {
        long invokedAtMs = nowMs();
        boolean taken = topic.send(request);
        Upstream.Answer none =
                new Upstream.Answer(Operation.Result.UNKNOWN, 0, "", 0, taken ? "a record" : "no record");
        unsettled.add(new Unsettled(request, number, invokedAtMs, 1, none, taken));
    }

    private void attempt(Request request, long number, long invokedAtMs, int triesBefore, boolean taken)
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
        answered(request, number, invokedAtMs, tries, answer, taken);
    }

    private void answered(
            Request request, long number, long invokedAtMs, int tries, Upstream.Answer answer, boolean taken) {
        if (answer.result() == Operation.Result.UNKNOWN) {
            unsettled.add(new Unsettled(request, number, invokedAtMs, tries, answer, taken));
            return;
        }
        if (taken && answer.status() == CREATED) {
            lost.add(request.subject());
        }
        shapes.learned(request, answer.version());
        end(request, number, invokedAtMs, tries, answer);
    }

    /** What came as a record, was read, and was not there all the same. */
    public List<String> lost() {
        return List.copyOf(lost);
    }

    private void end(Request request, long number, long invokedAtMs, int tries, Upstream.Answer answer) {
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
        topic.close();
        history.close();
    }
}
