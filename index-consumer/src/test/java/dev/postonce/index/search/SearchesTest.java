package dev.postonce.index.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.index.access.Caller;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.index.replica.ReplicaProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchesTest {

    private static final Caller A = new Caller("tenant-a", "a", Set.of("read"));
    private static final Caller B = new Caller("tenant-b", "b", Set.of("read"));

    @TempDir
    Path directory;

    ReplicaProbe probe;

    @BeforeEach
    void open() {
        probe = new ReplicaProbe(directory);
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void a_tenant_finds_its_own_only_and_its_scores_do_not_tell_of_others() {
        probe.task("tenant-a", "one", 1, "促销 海报", "<p>x</p>", false);
        probe.ready();
        float alone = SearchProbe.page(probe.replica(), A, "促销", 10, null)
                .hits()
                .get(0)
                .score();
        for (int i = 0; i < 50; i++) {
            probe.task("tenant-b", "other" + i, 1, "促销 secret", "<p>促销 secret</p>", false);
        }
        probe.ready();

        Searches.Found found = SearchProbe.page(probe.replica(), A, "促销", 10, null);
        assertThat(found.hits()).extracting(SearchAnswer.Hit::externalId).containsExactly("one");
        assertThat(found.totalHits()).isEqualTo(1);
        assertThat(found.hits().get(0).score()).isEqualTo(alone);
        assertThat(SearchProbe.ids(probe.replica(), A, "secret")).isEmpty();
        assertThat(SearchProbe.ids(probe.replica(), B, "secret")).hasSize(50);
    }

    @Test
    void the_title_counts_most() {
        probe.task("tenant-a", "in-body", 1, "other", "<p>促销</p>", false);
        probe.task("tenant-a", "in-title", 1, "促销", "<p>other</p>", false);
        probe.ready();
        assertThat(SearchProbe.ids(probe.replica(), A, "促销")).containsExactly("in-title", "in-body");
    }

    @Test
    void pages_hold_every_hit_once_also_when_the_index_changes_between_them() {
        for (int i = 0; i < 25; i++) {
            probe.task("tenant-a", "id" + i, 1, "促销 海报", "<p>x</p>", false);
        }
        probe.ready();
        List<String> seen = new ArrayList<>();
        String cursor = null;
        int pages = 0;
        do {
            Searches.Found page = SearchProbe.page(probe.replica(), A, "促销", 7, cursor);
            page.hits().forEach(hit -> seen.add(hit.externalId()));
            cursor = page.nextCursor();
            pages++;
            // Another tenant's documents come, and Lucene's document numbers move.
            probe.task("tenant-b", "b" + pages, 1, "促销", "<p>x</p>", false);
            probe.task("tenant-a", "id3", 1 + pages, "促销 海报", "<p>x</p>", false);
            probe.ready();
        } while (cursor != null);
        assertThat(pages).isEqualTo(4);
        assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void a_cursor_is_good_for_its_tenant_and_question_only() {
        for (int i = 0; i < 3; i++) {
            probe.task("tenant-a", "id" + i, 1, "促销", "<p>x</p>", false);
            probe.task("tenant-b", "id" + i, 1, "促销", "<p>x</p>", false);
        }
        probe.ready();
        String cursor = SearchProbe.page(probe.replica(), A, "促销", 2, null).nextCursor();
        assertThat(SearchProbe.page(probe.replica(), A, "促销", 2, cursor).hits()).hasSize(1);
        for (String bad : List.of(cursor.substring(2), cursor + "AA", "!!!", "AAAA")) {
            assertThatThrownBy(() -> SearchProbe.page(probe.replica(), A, "促销", 2, bad))
                    .isInstanceOf(ProblemException.class);
        }
        assertThatThrownBy(() -> SearchProbe.page(probe.replica(), B, "促销", 2, cursor))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> SearchProbe.page(probe.replica(), A, "海报", 2, cursor))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void highlights_are_escaped_but_for_the_marks() {
        probe.task(
                "tenant-a",
                "id",
                1,
                "<img src=x onerror=alert(1)> 主会场 & \"双11\"",
                "<p>前言。今年的双11主会场在 &lt;script&gt;，很大。" + "无关的句子。".repeat(100) + "</p>",
                false);
        probe.ready();
        var hit =
                SearchProbe.page(probe.replica(), A, "双11 主会场", 1, null).hits().get(0);
        assertThat(hit.highlight().get("title"))
                .isEqualTo("&lt;img src=x onerror=alert(1)&gt; <mark>主会场</mark> &amp; &quot;<mark>双11</mark>&quot;");
        assertThat(hit.highlight().get("body"))
                .contains("<mark>双11主会场</mark>", "&lt;script&gt;")
                .doesNotContain("<script")
                .hasSizeLessThan(900);
        assertThat(hit.highlight()).doesNotContainKey("summary");
    }

    @Test
    void a_question_without_words_is_refused() {
        probe.ready();
        for (String bad : List.of("", "   ", "!!! ---", "x".repeat(201))) {
            assertThatThrownBy(() -> SearchProbe.page(probe.replica(), A, bad, 1, null))
                    .isInstanceOf(ProblemException.class);
        }
        for (String limit : List.of("0", "101", "-1", "x", "99999999999")) {
            assertThatThrownBy(() -> SearchRequest.of("促销", null, limit, null)).isInstanceOf(ProblemException.class);
        }
        assertThatThrownBy(() -> SearchRequest.of("促销", "key", null, null)).isInstanceOf(ProblemException.class);
    }
}
