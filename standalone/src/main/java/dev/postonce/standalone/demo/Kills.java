package dev.postonce.standalone.demo;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Ends parts with SIGKILL, each at its moment; their supervisor starts them again. */
final class Kills implements AutoCloseable {

    /** @param part what was killed */
    record Kill(Part part, long pid, String when) {}

    private final Stack stack;
    private final Consumer<String> progress;
    private final List<Kill> done = new ArrayList<>();

    /** One thread: a part is killed while the clients go on, and one after the other. */
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    Kills(Stack stack, Consumer<String> progress) {
        this.stack = stack;
        this.progress = progress;
    }

    void kill(Part part, String when) {
        thread.execute(() -> {
            long pid;
            try {
                pid = stack.kill(part);
            } catch (RuntimeException e) {
                // It is being started again at this moment; the demo goes on with one kill less.
                progress.accept("could not kill " + part.label() + ": " + e.getMessage());
                return;
            }
            progress.accept("killed " + part.label() + " (pid " + pid + ", SIGKILL) " + when);
            synchronized (done) {
                done.add(new Kill(part, pid, when));
            }
        });
    }

    /** Waits until all that was asked for is done. */
    List<Kill> await() throws InterruptedException {
        thread.shutdown();
        if (!thread.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a part could not be killed within 30 s");
        }
        synchronized (done) {
            return List.copyOf(done);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
