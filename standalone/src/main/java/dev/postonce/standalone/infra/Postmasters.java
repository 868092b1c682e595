package dev.postonce.standalone.infra;

import dev.postonce.standalone.process.ProcFs;
import dev.postonce.standalone.process.Signals;
import dev.postonce.standalone.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * PostgreSQL servers that an earlier run left on a data directory. The caller holds the home's lock, so whatever works on
 * the directory is an orphan: it may have other settings and another port, and is ended rather than adopted.
 */
final class Postmasters {

    private static final Duration FAST_SHUTDOWN = Duration.ofSeconds(15);
    private static final Duration BACKENDS_LEAVE = Duration.ofSeconds(5);

    private Postmasters() {}

    static void endAll(Path data) {
        for (long pid : find(data)) {
            Signals.send(pid, "INT");
            if (!Signals.awaitGone(pid, FAST_SHUTDOWN)) {
                Signals.end(pid, "QUIT", FAST_SHUTDOWN);
            }
        }
        endBackends(data);
        // It may name a zombie, or a process that got the number since: PostgreSQL would refuse to start over either.
        try {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove a stale postmaster.pid in " + data, e);
        }
    }

    static List<Long> find(Path data) {
        return ProcFs.find(pid -> isPostmaster(ProcFs.arguments(pid), data) && ProcFs.isAlive(pid));
    }

    static boolean isPostmaster(List<String> arguments, Path data) {
        int option = arguments.indexOf("-D");
        return option > 0
                && option + 1 < arguments.size()
                && arguments.get(0).endsWith("/postgres")
                && Path.of(arguments.get(option + 1)).equals(data);
    }

    /** Backends notice within moments that their postmaster was killed; one that hangs keeps its shared memory. */
    private static void endBackends(Path data) {
        if (!Waiting.until(BACKENDS_LEAVE, () -> backends(data).isEmpty())) {
            backends(data).forEach(Signals::kill);
        }
    }

    private static List<Long> backends(Path data) {
        return ProcFs.find(pid -> isBackend(pid, data) && ProcFs.isAlive(pid));
    }

    private static boolean isBackend(long pid, Path data) {
        List<String> arguments = ProcFs.arguments(pid);
        return !arguments.isEmpty()
                && arguments.get(0).startsWith("postgres")
                && ProcFs.workingDirectory(pid).filter(data::equals).isPresent();
    }
}
