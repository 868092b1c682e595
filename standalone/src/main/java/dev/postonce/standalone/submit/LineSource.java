package dev.postonce.standalone.submit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of UTF-8 text, one at a time; one that is too long is skipped to its end, and said to be. */
public final class LineSource implements AutoCloseable {

    /** Above what the service takes, so that the service's own limit decides wherever it can. */
    static final int LINE_CHARACTERS_MAX = 2 * 1024 * 1024;

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    /**
     * @param number from 1, blank lines counted
     * @param text empty if it is too long
     */
    public record Line(long number, String text, boolean tooLong) {}

    private final Reader reader;
    private long number;
    private boolean ended;

    public LineSource(InputStream bytes) {
        // Bytes that are no UTF-8 must not become question marks in an article.
        this.reader = new BufferedReader(new InputStreamReader(
                bytes,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
    }

    /** The next line that is not blank; null at the end. */
    public @Nullable Line next() {
        while (!ended) {
            Line line = read();
            if (line.tooLong || !line.text.isBlank()) {
                return line;
            }
        }
        return null;
    }

    private Line read() {
        number++;
        StringBuilder text = new StringBuilder();
        boolean tooLong = false;
        try {
            while (true) {
                int character = reader.read();
                if (character < 0) {
                    ended = true;
                    break;
                }
                if (character == '\n') {
                    break;
                }
                if (text.length() == LINE_CHARACTERS_MAX) {
                    tooLong = true;
                } else if (!(number == 1 && text.isEmpty() && character == BYTE_ORDER_MARK)) {
                    text.append((char) character);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("line " + number + " cannot be read; is it UTF-8? " + e.getMessage(), e);
        }
        return new Line(number, tooLong ? "" : text.toString(), tooLong);
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
