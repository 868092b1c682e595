package dev.postonce.sandbox.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Append-only lines of JSON. A line is with the operating system before it is acted upon, so a killed process loses
 * none that it answered; a torn last line was never answered and is cut off. Safe for use by several threads.
 */
public final class Journal implements AutoCloseable {

    private static final String FILE_NAME = "sandbox.journal";
    private static final int READ_CHUNK_BYTES = 1 << 20;
    private static final int LINE_BYTES_MAX = 128 << 20;

    private final FileChannel channel;
    private long endOffset;

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    /** In the directory, or in a temporary file that goes with the process when there is none. */
    public static Journal open(@Nullable Path directory) {
        try {
            if (directory == null) {
                Path file = Files.createTempFile("postonce-sandbox", ".journal");
                return new Journal(FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
            }
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(
                    directory.resolve(FILE_NAME),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            claim(channel, directory);
            return new Journal(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be opened in " + directory, e);
        }
    }

    /** Two sandboxes over one journal would tear each other's lines. */
    private static void claim(FileChannel channel, Path directory) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process: the same refusal.
        }
        channel.close();
        throw new IOException(
                "another sandbox uses " + directory + "; stop it, or give this one a directory of its own");
    }

    /** Reads every whole line, cuts off a torn last one, and makes the journal ready for appending. Called once. */
    public synchronized void replay(BiConsumer<JsonNode, JournalRef> consumer) {
        try {
            long goodEnd = readLines(consumer);
            channel.truncate(goodEnd);
            endOffset = goodEnd;
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be read", e);
        }
    }

    private long readLines(BiConsumer<JsonNode, JournalRef> consumer) throws IOException {
        byte[] pending = new byte[READ_CHUNK_BYTES];
        int pendingBytes = 0;
        long lineStart = 0;
        long size = channel.size();
        for (long position = 0; position < size; ) {
            if (pendingBytes == pending.length) {
                if (pending.length >= LINE_BYTES_MAX) {
                    throw new IOException("a line at byte " + lineStart + " is longer than any that is written");
                }
                pending = Arrays.copyOf(pending, pending.length * 2);
            }
            int read = channel.read(ByteBuffer.wrap(pending, pendingBytes, pending.length - pendingBytes), position);
            if (read <= 0) {
                break;
            }
            position += read;
            int scanFrom = pendingBytes;
            pendingBytes += read;
            int start = 0;
            for (int i = scanFrom; i < pendingBytes; i++) {
                if (pending[i] == '\n') {
                    accept(Arrays.copyOfRange(pending, start, i), lineStart, consumer);
                    lineStart += i + 1L - start;
                    start = i + 1;
                }
            }
            System.arraycopy(pending, start, pending, 0, pendingBytes - start);
            pendingBytes -= start;
        }
        return lineStart;
    }

    private static void accept(byte[] line, long offset, BiConsumer<JsonNode, JournalRef> consumer) throws IOException {
        JsonNode node = Json.parse(line);
        if (node == null) {
            throw new IOException("the journal is damaged at byte " + offset + "; move it away to start empty");
        }
        consumer.accept(node, new JournalRef(offset, line.length));
    }

    public synchronized JournalRef append(ObjectNode line) {
        byte[] json = Json.bytes(line);
        ByteBuffer buffer =
                ByteBuffer.allocate(json.length + 1).put(json).put((byte) '\n').flip();
        try {
            long offset = endOffset;
            long position = offset;
            while (buffer.hasRemaining()) {
                position += channel.write(buffer, position);
            }
            endOffset = position;
            return new JournalRef(offset, json.length);
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be written", e);
        }
    }

    public JsonNode read(JournalRef ref) {
        ByteBuffer buffer = ByteBuffer.allocate(ref.lengthBytes());
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, ref.offset() + buffer.position()) < 0) {
                    throw new IOException("it ends before byte " + (ref.offset() + ref.lengthBytes()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be read", e);
        }
        return Json.mapper().readTree(buffer.array());
    }

    public synchronized void clear() {
        try {
            channel.truncate(0);
            endOffset = 0;
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be emptied", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the sandbox's journal cannot be closed", e);
        }
    }
}
