package dev.postonce.standalone.process;

import dev.postonce.standalone.StandaloneHome;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps one child running: starts it, sees it die, starts it again after a while; lets it rest while a hold file is there. */
final class Keeper {

    private static final long LOG_BYTES_MAX = 20L * 1024 * 1024;
    private static final List<String> OWN_SESSION = ownSession();

    private final Child child;
    private final LogFile log;
    private final Path pidFile;
    private final Path holdFile;
    private final RestartPolicy policy;
    private final InstantSource clock;
    private final Consumer<String> tell;

    private @Nullable Process process;
    private Instant startedAt = Instant.EPOCH;
    private Instant notBefore = Instant.EPOCH;
    private int deathsInARow;
    private int restarts;
    private @Nullable Integer lastExit;
    private boolean ended;

    Keeper(Child child, StandaloneHome home, RestartPolicy policy, InstantSource clock, Consumer<String> tell) {
        this.child = child;
        this.log = new LogFile(home.logs().resolve(child.name() + ".log"), LOG_BYTES_MAX);
        this.pidFile = pidFile(home, child.name());
        this.holdFile = holdFile(home, child.name());
        this.policy = policy;
        this.clock = clock;
        this.tell = tell;
    }

    static Path pidFile(StandaloneHome home, String name) {
        return home.run().resolve(name + ".pid");
    }

    static Path holdFile(StandaloneHome home, String name) {
        return home.run().resolve(name + ".hold");
    }

    synchronized void startFirst() {
        log.rotateAtStart();
        deleteHold();
        launch();
    }

    /** Called a few times a second. */
    synchronized void tick() {
        if (ended) {
            return;
        }
        boolean held = Files.exists(holdFile);
        if (isRunning()) {
            if (held) {
                endProcess();
            } else {
                log.rotateWhenFull();
            }
            return;
        }
        noteDeath(held);
        if (!held && policy.isOver(notBefore, clock.instant())) {
            restarts++;
            launch();
        }
    }

    /** Ends it for good. */
    synchronized void end() {
        ended = true;
        endProcess();
    }

    synchronized ChildStatus status() {
        Process current = process;
        boolean running = isRunning();
        return new ChildStatus(
                child.name(), running && current != null ? current.pid() : 0, startedAt, restarts, lastExit);
    }

    private boolean isRunning() {
        return process != null && process.isAlive();
    }

    private void launch() {
        try {
            child.beforeStart().run();
            List<String> command = new ArrayList<>(OWN_SESSION);
            command.addAll(child.command());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(child.workingDirectory().toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.path().toFile()));
            builder.environment().putAll(child.environment());
            Process started = builder.start();
            process = started;
            startedAt = clock.instant();
            ProcessId.of(started.pid()).ifPresent(id -> id.save(pidFile));
        } catch (IOException | RuntimeException e) {
            // It is tried again like a death: a full disk or a lingering process may be gone by then.
            process = null;
            startedAt = clock.instant();
            deathsInARow = policy.deathsInARow(deathsInARow, Duration.ZERO);
            notBefore = startedAt.plus(policy.delay(deathsInARow));
            tell.accept(child.name() + " cannot be started, and is tried again: " + e.getMessage());
        }
    }

    private void noteDeath(boolean held) {
        if (process == null) {
            return;
        }
        lastExit = process.exitValue();
        Instant now = clock.instant();
        process = null;
        if (held) {
            deathsInARow = 0;
            notBefore = now;
            return;
        }
        deathsInARow = policy.deathsInARow(deathsInARow, Duration.between(startedAt, now));
        Duration delay = policy.delay(deathsInARow);
        notBefore = now.plus(delay);
        tell.accept(child.name() + " ended with code " + lastExit + ", starts again in " + delay.toMillis()
                + " ms; its log is " + log.path());
    }

    private void endProcess() {
        if (process != null && process.isAlive()) {
            Signals.end(process.pid(), child.stopSignal(), child.patience());
        }
        delete(pidFile);
    }

    private void deleteHold() {
        delete(holdFile);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A session of its own: Ctrl-C goes to the whole foreground group, and would end everything at once, unordered. */
    private static List<String> ownSession() {
        for (String directory : List.of("/usr/bin", "/bin")) {
            Path setsid = Path.of(directory, "setsid");
            if (Files.isExecutable(setsid)) {
                return List.of(setsid.toString());
            }
        }
        return List.of();
    }
}
