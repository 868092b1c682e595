package dev.postonce.standalone.process;

import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Acts on single children of a supervisor, from any process, through the files in the home. */
public final class Parts {

    private static final Duration UNTIL_IT_RUNS = Duration.ofSeconds(30);
    private static final Duration UNTIL_IT_ENDED = Duration.ofSeconds(60);

    private final StandaloneHome home;

    public Parts(StandaloneHome home) {
        this.home = home;
    }

    /** Empty while it is down. */
    public Optional<ProcessId> process(String name) {
        return ProcessId.load(Keeper.pidFile(home, name)).filter(ProcessId::isAlive);
    }

    /** @return the pid that was killed */
    public long kill(String name) {
        Waiting.until(UNTIL_IT_RUNS, () -> process(name).isPresent());
        ProcessId victim =
                process(name).orElseThrow(() -> new IllegalStateException(name + " does not run: nothing to kill"));
        Signals.kill(victim.pid());
        return victim.pid();
    }

    /** Its supervisor ends it, and does not start it again before {@link #release}. */
    public void hold(String name) {
        PrivateFiles.write(Keeper.holdFile(home, name), "held\n");
        if (!Waiting.until(UNTIL_IT_ENDED, () -> process(name).isEmpty())) {
            throw new IllegalStateException(name + " was asked to stop and still runs; does its supervisor run?");
        }
    }

    public void release(String name) {
        Path hold = Keeper.holdFile(home, name);
        try {
            Files.deleteIfExists(hold);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + hold, e);
        }
    }
}
