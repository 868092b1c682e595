package dev.postonce.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Ends processes, by pid and never by name. */
public final class Signals {

    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    private Signals() {}

    /** Asks first, and insists when the time is over. Returns once it is gone. */
    public static void end(long pid, String polite, Duration patience) {
        send(pid, polite);
        if (!awaitGone(pid, patience)) {
            kill(pid);
        }
    }

    /** As a crash: the process gets no chance to tidy up. Returns once it is gone. */
    public static void kill(long pid) {
        send(pid, "KILL");
        if (!awaitGone(pid, AFTER_KILL)) {
            throw new IllegalStateException("process " + pid + " does not end, even by SIGKILL; it hangs in the kernel."
                    + " Nothing is started beside it");
        }
    }

    public static boolean awaitGone(long pid, Duration timeout) {
        return Waiting.until(timeout, () -> !ProcFs.isAlive(pid));
    }

    /** @param signal its name, such as {@code TERM}; nothing happens if the process is gone */
    public static void send(long pid, String signal) {
        try {
            Process kill = new ProcessBuilder(List.of("kill", "-" + signal, Long.toString(pid)))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("the command kill cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
