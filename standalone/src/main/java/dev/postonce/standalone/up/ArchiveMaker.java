package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.OldImages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the class archives that are missing: once per build, a while after the first start, one by one. Deletes what earlier
 * builds left of both.
 */
final class ArchiveMaker implements AutoCloseable {

    private static final Duration AFTER_START = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final StandaloneHome home;
    private final Map<Part, ClassArchive> archives = new LinkedHashMap<>();
    private final Map<Part, ClassArchive> missing = new LinkedHashMap<>();
    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "class-archives");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Process running;
    private volatile boolean closed;

    ArchiveMaker(StandaloneHome home) {
        this.home = home;
    }

    synchronized void wanted(Part part, ClassArchive archive) {
        archives.put(part, archive);
        if (!archive.exists()) {
            missing.put(part, archive);
        }
    }

    synchronized void begin() {
        var deleting = background.submit(this::deleteOldImages);
        for (Map.Entry<Part, ClassArchive> archive : missing.entrySet()) {
            var unused = background.schedule(
                    () -> make(archive.getKey(), archive.getValue()), AFTER_START.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** What is not finished is begun anew by the next start. */
    @Override
    public void close() {
        closed = true;
        background.shutdownNow();
        Process process = running;
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private synchronized void deleteOldImages() {
        archives.forEach((part, archive) -> {
            String program = archive.program();
            try {
                new OldImages(archive.apps(), InstantSource.system())
                        .delete(program.substring(0, program.lastIndexOf('-')), archive.directory());
            } catch (IOException e) {
                note(home.logs().resolve("class-archives.log"), "an old image stays: " + e);
            }
        });
    }

    private void make(Part part, ClassArchive archive) {
        Path list = JavaCommand.classList(home, Instance.first(part));
        Path log = home.logs().resolve("class-archives.log");
        try {
            if (closed || archive.exists() || !Files.exists(list)) {
                return;
            }
            Files.createDirectories(archive.directory());
            archive.deleteUnfinished();
            Process process = archive.make(wholeLines(list), log);
            running = process;
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (ended && process.exitValue() == 0) {
                archive.keep();
            } else {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            // Nothing depends on it: the next start takes as long as this one.
            note(log, part.label() + ": no class archive: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The program still writes to its list, and the last line may be cut. */
    private static Path wholeLines(Path list) throws IOException {
        String text = Files.readString(list, StandardCharsets.UTF_8);
        Path copy = list.resolveSibling(list.getFileName() + ".whole");
        Files.writeString(copy, text.substring(0, text.lastIndexOf('\n') + 1));
        return copy;
    }

    private static void note(Path log, String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // Not even the log can be written; whoever needs the disk will say so.
        }
    }
}
