package dev.postonce.standalone.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a log, to show with an error. */
public final class LogTail {

    private static final int BYTES_MAX = 2_000;

    private LogTail() {}

    public static String of(Path file) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - BYTES_MAX);
            log.seek(from);
            byte[] end = new byte[(int) (log.length() - from)];
            log.readFully(end);
            String text = new String(end, StandardCharsets.UTF_8);
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        } catch (IOException e) {
            return "(no log)";
        }
    }
}
