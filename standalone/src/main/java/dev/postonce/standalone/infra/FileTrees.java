package dev.postonce.standalone.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories that are either whole or absent. */
public final class FileTrees {

    private FileTrees() {}

    interface Filler {
        void fill(Path directory) throws IOException;
    }

    /**
     * Fills a directory beside the target and renames it, so that a crash in between leaves nothing that looks finished.
     * Where two do it at once, the first wins and the other's work is thrown away.
     */
    static void whole(Path target, Filler filler) {
        if (Files.exists(target)) {
            return;
        }
        try {
            Files.createDirectories(target.getParent());
            Path filling = Files.createTempDirectory(target.getParent(), "." + target.getFileName() + "-");
            filler.fill(filling);
            try {
                Files.move(filling, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                delete(filling);
                if (!Files.exists(target)) {
                    throw e;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + target, e);
        }
    }

    /** What a crash left half-filled; only where nobody else can be filling the same. */
    static void deleteLeftovers(Path target) {
        String begun = "." + target.getFileName() + "-";
        try (Stream<Path> beside = Files.list(target.getParent())) {
            for (Path path : beside.toList()) {
                if (path.getFileName().toString().startsWith(begun)) {
                    delete(path);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove what is left of a broken-off start", e);
        }
    }

    public static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(directory)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
    }
}
