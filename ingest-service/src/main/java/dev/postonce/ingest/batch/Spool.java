package dev.postonce.ingest.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Answers that wait for their reader: a little in memory, the rest in a temporary file. Many clients read no answer
 * before their last line is sent, and must neither be waited for nor fill the memory. One thread's at a time.
 */
final class Spool implements AutoCloseable {

    private static final int PIECE_BYTES = 8 * 1024;

    private final int memoryBytesMax;
    private final ArrayDeque<byte[]> memory = new ArrayDeque<>();
    private int memoryBytes;
    private @Nullable FileChannel file;
    private long readTo;
    private long writtenTo;

    Spool(int memoryBytesMax) {
        this.memoryBytesMax = memoryBytesMax;
    }

    void add(byte[] answer) throws IOException {
        boolean fileHasSome = readTo < writtenTo;
        if (!fileHasSome && memoryBytes + answer.length <= memoryBytesMax) {
            memory.add(answer);
            memoryBytes += answer.length;
            return;
        }
        FileChannel opened = file == null ? open() : file;
        file = opened;
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        while (bytes.hasRemaining()) {
            writtenTo += opened.write(bytes, writtenTo);
        }
    }

    /** The next piece, in order; null where nothing waits. */
    byte @Nullable [] poll() throws IOException {
        byte @Nullable [] piece = memory.poll();
        if (piece != null) {
            memoryBytes -= piece.length;
            return piece;
        }
        if (file == null || readTo == writtenTo) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, writtenTo - readTo));
        while (bytes.hasRemaining()) {
            int read = file.read(bytes, readTo + bytes.position());
            if (read < 0) {
                throw new IOException("the spool file is shorter than what was written");
            }
        }
        readTo += bytes.position();
        if (readTo == writtenTo) {
            file.truncate(0);
            readTo = 0;
            writtenTo = 0;
        }
        return bytes.array();
    }

    boolean usesFile() {
        return file != null;
    }

    private static FileChannel open() throws IOException {
        // Mode 0600, and gone with the channel.
        Path path = Files.createTempFile("postonce-batch", ".ndjson");
        return FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    @Override
    public void close() throws IOException {
        memory.clear();
        memoryBytes = 0;
        if (file != null) {
            file.close();
            file = null;
        }
        readTo = 0;
        writtenTo = 0;
    }
}
