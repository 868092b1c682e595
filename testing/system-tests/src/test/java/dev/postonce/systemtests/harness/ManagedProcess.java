package dev.postonce.systemtests.harness;

import dev.postonce.standalone.process.Signals;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One process of a cluster: started, killed, frozen and started again at the test's will; it appends to one log. */
public final class ManagedProcess {

    private static final Duration POLITE = Duration.ofSeconds(40);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(20);

    private final String name;
    private final Path log;
    private volatile Process process;
    private volatile boolean frozen;
    private volatile int starts;

    public ManagedProcess(String name, Path log) {
        this.name = name;
        this.log = log;
    }

    public synchronized void start(List<String> command, Map<String, String> environment, Path directory) {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        try {
            Files.createDirectories(log.getParent());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            process = builder.start();
            starts++;
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started", e);
        }
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    public long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process.pid();
    }

    /** How often it was started: a kill that killed nothing would leave it as it was. */
    public int starts() {
        return starts;
    }

    public Path log() {
        return log;
    }

    /** How many lines of its log say so. */
    public long logged(String said) {
        // Whoever died while it wrote may have left half a character.
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(said)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #logged}, as soon as one line does, or when the time is over. */
    public long awaitLogged(String said, Duration within) {
        Patience.until(within, () -> logged(said) > 0);
        return logged(said);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        Process victim = process;
        if (victim == null) {
            return;
        }
        if (victim.isAlive()) {
            Signals.kill(victim.pid());
        }
        // Whoever starts it again may have done so by now.
        awaitEnd(victim);
        frozen = false;
    }

    /** In order, by the signal that its kind understands. */
    public void stop(String signal) {
        Process victim = process;
        if (victim == null || !victim.isAlive()) {
            return;
        }
        thaw();
        Signals.end(victim.pid(), signal, POLITE);
        awaitEnd(victim);
    }

    public void freeze() {
        Signals.send(pid(), "STOP");
        frozen = true;
    }

    public void thaw() {
        if (frozen) {
            Signals.send(pid(), "CONT");
            frozen = false;
        }
    }

    public boolean isFrozen() {
        return frozen;
    }

    private void awaitEnd(Process ending) {
        try {
            if (!ending.waitFor(GONE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(name + " still runs after " + GONE_WITHIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
