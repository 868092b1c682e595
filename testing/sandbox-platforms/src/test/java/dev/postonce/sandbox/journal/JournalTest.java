package dev.postonce.sandbox.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    @TempDir
    Path directory;

    private static List<Integer> replay(Journal journal) {
        List<Integer> numbers = new ArrayList<>();
        journal.replay((line, ref) -> {
            assertThat(journal.read(ref)).isEqualTo(line);
            numbers.add(line.get("n").asInt());
        });
        return numbers;
    }

    private void append(int... numbers) {
        try (Journal journal = Journal.open(directory)) {
            replay(journal);
            for (int number : numbers) {
                journal.append(Json.object().put("n", number).put("text", "双11 ".repeat(number % 50)));
            }
        }
    }

    private Path file() {
        return directory.resolve("sandbox.journal");
    }

    @Test
    void what_was_appended_is_there_after_a_restart() {
        append(1, 2);
        append(3);
        try (Journal journal = Journal.open(directory)) {
            assertThat(replay(journal)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void a_torn_last_line_is_cut_off_wherever_it_tore() throws Exception {
        append(1, 2);
        byte[] whole = Files.readAllBytes(file());
        int secondLine = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
        for (int cut = secondLine; cut < whole.length; cut++) {
            Files.write(file(), Arrays.copyOf(whole, cut));
            try (Journal journal = Journal.open(directory)) {
                assertThat(replay(journal)).containsExactly(1);
                assertThat(Files.size(file())).isEqualTo(secondLine);
                journal.append(Json.object().put("n", 9));
            }
            try (Journal journal = Journal.open(directory)) {
                assertThat(replay(journal)).containsExactly(1, 9);
            }
        }
    }

    @Test
    void damage_before_the_last_line_is_refused_aloud() throws Exception {
        append(1);
        Files.writeString(file(), "nonsense\n{\"n\":2}\n", StandardOpenOption.APPEND);
        try (Journal journal = Journal.open(directory)) {
            assertThatThrownBy(() -> replay(journal))
                    .isInstanceOf(UncheckedIOException.class)
                    .rootCause()
                    .hasMessageContaining("damaged at byte");
        }
    }

    @Test
    void lines_longer_than_a_chunk_are_read_whole() {
        try (Journal journal = Journal.open(directory)) {
            replay(journal);
            for (int number = 0; number < 3; number++) {
                journal.append(Json.object().put("n", number).put("text", "x".repeat(3_000_000)));
            }
        }
        try (Journal journal = Journal.open(directory)) {
            assertThat(replay(journal)).containsExactly(0, 1, 2);
        }
    }

    @Test
    void two_sandboxes_do_not_share_one_journal() {
        try (Journal journal = Journal.open(directory)) {
            replay(journal);
            assertThatThrownBy(() -> Journal.open(directory))
                    .isInstanceOf(UncheckedIOException.class)
                    .rootCause()
                    .hasMessageContaining("another sandbox uses");
        }
    }
}
