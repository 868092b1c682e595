package dev.postonce.ingest.batch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into lines, and holds no more than one of them; one that is too long is skipped to its end. */
final class LineReader {

    private static final int BUFFER_BYTES = 16 * 1024;

    /**
     * @param number from 1, blank lines counted
     * @param bytes without the line's end; empty if it is too long
     */
    record Line(long number, byte[] bytes, boolean tooLong) {

        boolean isBlank() {
            for (byte character : bytes) {
                if (character != ' ' && character != '\t') {
                    return false;
                }
            }
            return !tooLong;
        }
    }

    private final InputStream stream;
    private final int lineBytesMax;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int filled;
    private long number;
    private boolean ended;

    LineReader(InputStream stream, int lineBytesMax) {
        this.stream = stream;
        this.lineBytesMax = lineBytesMax;
    }

    /** The next line, also one that ends with the stream; null at its end. */
    @Nullable
    Line next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        boolean tooLong = false;
        boolean begun = false;
        while (!ended) {
            if (position == filled) {
                position = 0;
                filled = Math.max(0, stream.read(buffer));
                ended = filled == 0;
                continue;
            }
            begun = true;
            int end = position;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            int taken = end - position;
            tooLong |= line.size() + taken > lineBytesMax;
            if (!tooLong) {
                line.write(buffer, position, taken);
            }
            position = end;
            if (end < filled) {
                position++;
                return lineOf(line, tooLong);
            }
        }
        return begun ? lineOf(line, tooLong) : null;
    }

    private Line lineOf(ByteArrayOutputStream line, boolean tooLong) {
        number++;
        byte[] bytes = tooLong ? new byte[0] : line.toByteArray();
        boolean carriageReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        return new Line(number, carriageReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes, tooLong);
    }
}
