package dev.postonce.standalone.submit;

import dev.postonce.client.BatchLine;
import dev.postonce.client.PostonceClient;
import dev.postonce.client.SubmitResult;
import dev.postonce.runtime.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends lines with several clients at once. Memory is bounded: the next line is read when a client is about to be
 * free. With a repeat, the same line is sent that often in a row, so that several clients submit it at one time.
 */
public final class SubmissionRun {

    /** Hears of each result, from the clients' threads. */
    public interface Listener {

        void on(Submission submission, SubmitResult result);
    }

    private static final int AHEAD_PER_CLIENT = 2;
    private static final int BATCH_LINES = 250;

    /** After so many in a row, for each client, that were given up, the service is taken to be away. */
    private static final int GIVEN_UP_IN_A_ROW_MAX = 2;

    private final PostonceClient client;
    private final int clients;
    private final int repeat;
    private final Ids ids;
    private final Listener listener;
    private boolean batches;
    private final Tally tally = new Tally();
    private final long beganNanos = System.nanoTime();

    public SubmissionRun(PostonceClient client, int clients, int repeat, Ids ids, Listener listener) {
        this.client = client;
        this.clients = clients;
        this.repeat = repeat;
        this.ids = ids;
        this.listener = listener;
    }

    /** Sends tasks many to a request. */
    public SubmissionRun inBatches() {
        batches = true;
        return this;
    }

    public SubmitReport run(LineSource lines, LineForm form) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        Semaphore ahead = new Semaphore(clients * AHEAD_PER_CLIENT);
        List<Submission> batch = new ArrayList<>();
        Long stoppedAt = null;
        try {
            for (LineSource.Line line = lines.next(); line != null; line = lines.next()) {
                if (tally.gaveUpInARow() >= (long) clients * GIVEN_UP_IN_A_ROW_MAX) {
                    stoppedAt = line.number();
                    break;
                }
                tally.line();
                LineForm.Outcome outcome = form.read(line);
                if (outcome instanceof LineForm.Outcome.Faulty faulty) {
                    tally.faulty(faulty);
                } else if (outcome instanceof LineForm.Outcome.Ready ready) {
                    Submission submission = ready.submission();
                    if (batches && submission.kind() == Submission.Kind.TASK) {
                        batch.add(submission);
                    } else {
                        times(ahead, () -> threads.execute(() -> send(submission, ahead)));
                    }
                    if (batch.size() == BATCH_LINES) {
                        send(List.copyOf(batch), threads, ahead);
                        batch.clear();
                    }
                }
            }
            if (!batch.isEmpty()) {
                send(List.copyOf(batch), threads, ahead);
            }
            ahead.acquire(clients * AHEAD_PER_CLIENT);
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
        return report(stoppedAt);
    }

    /** As it stands now; for progress. */
    public SubmitReport soFar() {
        return report(null);
    }

    private SubmitReport report(@Nullable Long stoppedAt) {
        return tally.report(stoppedAt, Duration.ofNanos(System.nanoTime() - beganNanos));
    }

    private void times(Semaphore ahead, Runnable send) throws InterruptedException {
        for (int i = 0; i < repeat; i++) {
            ahead.acquire();
            send.run();
        }
    }

    private void send(List<Submission> batch, ExecutorService threads, Semaphore ahead) throws InterruptedException {
        times(ahead, () -> threads.execute(() -> sendBatch(batch, ahead)));
    }

    private void sendBatch(List<Submission> batch, Semaphore ahead) {
        try {
            List<BatchLine> lines = batch.stream()
                    .map(one ->
                            new BatchLine(one.body(), one.named() ? ids.next().toString() : null))
                    .toList();
            List<SubmitResult> results = client.submitTasks(lines);
            for (int i = 0; i < results.size(); i++) {
                tally.result(batch.get(i), results.get(i));
                listener.on(batch.get(i), results.get(i));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ahead.release();
        }
    }

    private void send(Submission submission, Semaphore ahead) {
        try {
            String key = submission.named() ? ids.next().toString() : null;
            SubmitResult result = submission.kind() == Submission.Kind.GROUP
                    ? client.submitGroup(submission.body(), key)
                    : client.submitTask(submission.body(), key);
            tally.result(submission, result);
            listener.on(submission, result);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ahead.release();
        }
    }
}
