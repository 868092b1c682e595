package dev.postonce.index.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.index.Samples;
import dev.postonce.index.access.Caller;
import dev.postonce.index.event.IndexEvent;
import dev.postonce.index.search.SearchProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people type, and what it must find. */
class CjkSearchTest {

    private static final List<String> TITLES =
            List.of("双11 大促销 主会场", "双11大促销主会场banner", "2026年双11预热-促销素材_v2.psd", "双十一 促销活动海报", "春节促销", "双11");

    @TempDir
    static Path directory;

    static LuceneIndex index;
    static final Replica REPLICA = new Replica();

    @BeforeAll
    static void fill() throws IOException {
        index = LuceneIndex.open(directory, false, 8);
        REPLICA.opened(index);
        for (int i = 0; i < TITLES.size(); i++) {
            var event = Samples.event(Samples.task("t", "id" + i, 1, TITLES.get(i), "<p></p>", false));
            index.apply(ReplicaDocument.of(
                    new IndexEvent.OfTask(event, Samples.task("t", "id" + i, 1, TITLES.get(i), "<p></p>", false))));
        }
        var body = Samples.task(
                "t",
                "html",
                1,
                "An article",
                "<h1>Heading</h1><p>Fish &amp; chips <script>alert('promo')</script>"
                        + "<b>bold</b>ness <em>会议</em></p>",
                false);
        index.apply(ReplicaDocument.of(new IndexEvent.OfTask(Samples.event(body), body)));
        index.refresh();
        REPLICA.at(Replica.Phase.READY, "test", 0);
    }

    @AfterAll
    static void close() throws IOException {
        index.close();
    }

    @ParameterizedTest(name = "{0} finds {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "双11       | 0 1 2 5",
                "双１１     | 0 1 2 5",
                "促销       | 0 1 2 3 4",
                "大促       | 0 1",
                "销         | 0 1 2 3 4",
                "双十一     | 3",
                "主会场     | 0 1",
                "素材       | 2",
                "PSD        | 2",
                "v2         | 2",
                "素材_v2.psd | 2",
                "ＢＡＮＮＥＲ | 1",
                "双11促销   | 0 1 2",
                "2026年双11 | 2",
                "主会场 春节 | ''",
            })
    void finds(String question, String expected) {
        Set<String> ids = new TreeSet<>();
        if (!expected.isBlank()) {
            Arrays.stream(expected.trim().split(" ")).forEach(number -> ids.add("id" + number));
        }
        assertThat(SearchProbe.ids(REPLICA, new Caller("t", "c", Set.of("read")), question))
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void html_is_no_text_but_its_words_are() {
        Caller caller = new Caller("t", "c", Set.of("read"));
        assertThat(SearchProbe.ids(REPLICA, caller, "chips")).containsExactly("html");
        assertThat(SearchProbe.ids(REPLICA, caller, "会议")).containsExactly("html");
        assertThat(SearchProbe.ids(REPLICA, caller, "boldness")).containsExactly("html");
        assertThat(SearchProbe.ids(REPLICA, caller, "script")).isEmpty();
        assertThat(SearchProbe.ids(REPLICA, caller, "alert")).isEmpty();
    }

    @Test
    void identifiers_are_found_by_their_parts() {
        assertThat(SearchProbe.ids(REPLICA, new Caller("t", "c", Set.of("read")), "id4"))
                .containsExactly("id4");
    }
}
