package dev.postonce.standalone.infra;

import dev.postonce.standalone.process.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** Images of builds that are gone. Each build leaves one of each program, with its class archive. */
public final class OldImages {

    /** Another stack may have unpacked it a moment ago, and not have started it yet. */
    private static final Duration KEPT_ANYWAY = Duration.ofHours(1);

    private final Path apps;
    private final InstantSource clock;

    public OldImages(Path apps, InstantSource clock) {
        this.apps = apps;
        this.clock = clock;
    }

    /**
     * Deletes those of one program that no process runs from.
     *
     * @param current the image that stays in any case
     */
    public void delete(String name, Path current) throws IOException {
        Instant youngest = clock.instant().minus(KEPT_ANYWAY);
        for (Path image : images(name)) {
            boolean old = Files.getLastModifiedTime(image).toInstant().isBefore(youngest);
            if (old && !image.equals(current) && !isUsed(image)) {
                FileTrees.delete(image);
            }
        }
    }

    private List<Path> images(String name) throws IOException {
        try (Stream<Path> all = Files.list(apps)) {
            return all.filter(path -> path.getFileName().toString().matches(name + "-[0-9a-f]{1,12}"))
                    .toList();
        }
    }

    private static boolean isUsed(Path image) {
        return !ProcFs.find(
                        pid -> ProcFs.arguments(pid).stream().anyMatch(argument -> argument.contains(image.toString())))
                .isEmpty();
    }
}
