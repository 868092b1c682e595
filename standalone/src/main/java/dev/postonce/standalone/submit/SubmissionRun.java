package dev.postonce.standalone.submit;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.SubmitResult;
import dev.postonce.runtime.Ids;
import java.time.Duration;
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

    /** After so many in a row, for each client, that were given up, the service is taken to be away. */
    private static final int GIVEN_UP_IN_A_ROW_MAX = 2;

    private final PostonceClient client;
    private final int clients;
    private final int repeat;
    private final Ids ids;
    private final Listener listener;
    private final Tally tally = new Tally();
    private final long beganNanos = System.nanoTime();

    public SubmissionRun(PostonceClient client, int clients, int repeat, Ids ids, Listener listener) {
        this.client = client;
        this.clients = clients;
        this.repeat = repeat;
        this.ids = ids;
        this.listener = listener;
    }

    public SubmitReport run(LineSource lines, LineForm form) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        Semaphore ahead = new Semaphore(clients * AHEAD_PER_CLIENT);
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
                    for (int i = 0; i < repeat; i++) {
                        ahead.acquire();
                        threads.execute(() -> send(ready.submission(), ahead));
                    }
                }
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
