package dev.postonce.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.batch.LineReader.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    @Test
    void lines_end_in_a_line_feed_with_or_without_a_carriage_return_or_with_the_stream() throws IOException {
        assertThat(read("a\nb\r\n\n c", 10)).containsExactly("1:a", "2:b", "3:", "4: c");
        assertThat(read("", 10)).isEmpty();
        assertThat(read("\n", 10)).containsExactly("1:");
        assertThat(read("a\n", 10)).containsExactly("1:a");
    }

    @Test
    void a_line_that_is_too_long_is_skipped_to_its_end_and_said_to_be() throws IOException {
        assertThat(read("12345\n123456\n" + "x".repeat(100_000) + "\nok", 5))
                .containsExactly("1:12345", "2!", "3!", "4:ok");
    }

    @Test
    void the_pieces_in_which_a_stream_comes_make_no_difference() throws IOException {
        long seed = 4711;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60_000); i > 0; i--) {
                text.append(random.nextInt(50) == 0 ? '\n' : (char) ('a' + random.nextInt(26)));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
            assertThat(lines(new Dribble(bytes, random), 100)).isEqualTo(read(text.toString(), 100));
        }
    }

    private static List<String> read(String text, int bytesMax) throws IOException {
        return lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), bytesMax);
    }

    private static List<String> lines(InputStream stream, int bytesMax) throws IOException {
        LineReader reader = new LineReader(stream, bytesMax);
        List<String> lines = new ArrayList<>();
        for (Line line = reader.next(); line != null; line = reader.next()) {
            lines.add(line.number() + (line.tooLong() ? "!" : ":" + new String(line.bytes(), StandardCharsets.UTF_8)));
        }
        return lines;
    }

    private static final class Dribble extends InputStream {

        private final ByteArrayInputStream bytes;
        private final Random random;

        Dribble(byte[] bytes, Random random) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, 1 + random.nextInt(length));
        }
    }
}
