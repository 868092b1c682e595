package dev.postonce.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a test does to an instance's directory behind its back. */
final class Directories {

    private Directories() {}

    static boolean copy(Path from, Path to) throws IOException {
        delete(to);
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (!file.getFileName().toString().equals("write.lock")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
        return true;
    }

    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
