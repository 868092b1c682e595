package dev.postonce.standalone.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A child's log, bounded: the child appends to it by itself, so that it can write on when its supervisor is gone. A child
 * cannot be told to open another file, so a full log is copied aside and cut to nothing; a line written in between is lost.
 */
public final class LogFile {

    private static final int KEPT = 2;

    private final Path file;
    private final long bytesMax;

    public LogFile(Path file, long bytesMax) {
        this.file = file;
        this.bytesMax = bytesMax;
    }

    public Path path() {
        return file;
    }

    /** Before a child starts: nobody writes, so the old log can simply be renamed. */
    public void rotateAtStart() {
        try {
            Files.createDirectories(file.getParent());
            if (Files.exists(file) && Files.size(file) > 0) {
                shift();
                Files.move(file, numbered(1), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot rotate " + file, e);
        }
    }

    /** Now and then, while a child writes. */
    public void rotateWhenFull() {
        try {
            if (!Files.exists(file) || Files.size(file) <= bytesMax) {
                return;
            }
            shift();
            Files.copy(file, numbered(1), StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot rotate " + file, e);
        }
    }

    private void shift() throws IOException {
        for (int number = KEPT; number > 1; number--) {
            if (Files.exists(numbered(number - 1))) {
                Files.move(numbered(number - 1), numbered(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }
}
