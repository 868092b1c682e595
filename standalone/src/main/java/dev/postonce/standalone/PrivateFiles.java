package dev.postonce.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner may read, never seen half-written. */
public final class PrivateFiles {

    private PrivateFiles() {}

    public static void directory(Path directory) {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + directory, e);
        }
    }

    /** Replaces the file in one step. */
    public static void write(Path file, String text) {
        try {
            // createTempFile makes it 0600 before a byte is in it.
            Path written = Files.createTempFile(file.getParent(), "." + file.getFileName(), ".tmp");
            Files.writeString(written, text);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
