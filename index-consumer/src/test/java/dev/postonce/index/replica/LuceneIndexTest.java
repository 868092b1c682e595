package dev.postonce.index.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.TaskState;
import dev.postonce.index.Samples;
import dev.postonce.index.event.IndexEvent;
import dev.postonce.messaging.GateDecision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuceneIndexTest {

    private static final TopicPartition P0 = new TopicPartition("postonce.task.v1", 0);

    @TempDir
    Path directory;

    @Test
    void only_a_newer_version_is_written() throws IOException {
        try (LuceneIndex index = open()) {
            assertThat(apply(index, 2, "two", false)).isEqualTo(GateDecision.APPLY);
            assertThat(apply(index, 1, "one", false)).isEqualTo(GateDecision.STALE);
            assertThat(apply(index, 2, "two", false)).isEqualTo(GateDecision.DUPLICATE);
            assertThat(apply(index, 2, "another two", false)).isEqualTo(GateDecision.CONFLICT);
            index.refresh();
            assertThat(apply(index, 1, "one", false)).isEqualTo(GateDecision.STALE);
            assertThat(apply(index, 2, "two", false)).isEqualTo(GateDecision.DUPLICATE);
            assertThat(apply(index, 2, "another two", false)).isEqualTo(GateDecision.CONFLICT);
            assertThat(apply(index, 3, "three", false)).isEqualTo(GateDecision.APPLY);
            index.refresh();
            assertThat(listing(index)).extracting(ReplicaListing.Line::version).containsExactly(3L);
        }
    }

    @Test
    void a_removed_key_stays_removed_across_merges_commits_and_restarts() throws IOException {
        try (LuceneIndex index = open()) {
            apply(index, 1, "one", false);
            apply(index, 5, "five", true);
            index.commit(new Checkpoint(Map.of(P0, 2L), Map.of()));
        }
        for (int restart = 0; restart < 3; restart++) {
            try (LuceneIndex index = open()) {
                assertThat(apply(index, 4, "late", false)).isEqualTo(GateDecision.STALE);
                assertThat(apply(index, 5, "late", false)).isEqualTo(GateDecision.CONFLICT);
                index.refresh();
                assertThat(listing(index))
                        .extracting(ReplicaListing.Line::deleted)
                        .containsExactly(true);
                index.commit(new Checkpoint(Map.of(P0, 3L), Map.of()));
            }
        }
    }

    @Test
    void what_was_not_committed_is_gone_with_its_offsets() throws IOException {
        try (LuceneIndex index = open()) {
            apply(index, 1, "one", false);
            index.commit(new Checkpoint(Map.of(P0, 7L), Map.of("postonce.task.v1", "id")));
            apply(index, 2, "two", false);
            index.refresh();
        }
        try (LuceneIndex index = open()) {
            assertThat(index.checkpoint()).contains(new Checkpoint(Map.of(P0, 7L), Map.of("postonce.task.v1", "id")));
            index.refresh();
            assertThat(listing(index)).extracting(ReplicaListing.Line::version).containsExactly(1L);
        }
    }

    @Test
    void a_directory_belongs_to_one_instance() throws IOException {
        try (LuceneIndex index = open()) {
            assertThat(index.documents()).isZero();
            assertThatThrownBy(this::open).isInstanceOf(LockObtainFailedException.class);
        }
        open().close();
    }

    @Test
    void a_damaged_index_is_begun_anew_and_other_files_are_left_alone() throws IOException {
        try (LuceneIndex index = open()) {
            apply(index, 1, "one", false);
            index.commit(new Checkpoint(Map.of(P0, 7L), Map.of()));
        }
        Path foreign = Files.writeString(directory.resolve("notes.txt"), "mine");
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(one -> !one.equals(foreign) && !one.endsWith("write.lock"))
                    .toList()) {
                Files.write(file, new byte[] {1, 2, 3});
            }
        }
        assertThatThrownBy(this::open).isInstanceOf(IOException.class);
        try (LuceneIndex index = LuceneIndex.open(directory, true, 8)) {
            assertThat(index.documents()).isZero();
            assertThat(index.checkpoint()).isEmpty();
            assertThatThrownBy(() -> LuceneIndex.open(directory, true, 8))
                    .isInstanceOf(LockObtainFailedException.class);
        }
        assertThat(foreign).hasContent("mine");
    }

    @Test
    void a_listing_pages_through_one_tenant_in_key_order() throws IOException {
        try (LuceneIndex index = open()) {
            for (String tenant : List.of("aa", "a", "b")) {
                for (int i = 0; i < 7; i++) {
                    put(index, Samples.task(tenant, "id" + i, 1, "x"));
                }
            }
            index.refresh();
            put(index, Samples.task("a", "id3", 2, "x"));
            index.refresh();
            IndexSearcher searcher = index.acquire();
            try {
                var first = ReplicaListing.of(searcher, "task/a:", "", 4);
                var second = ReplicaListing.of(searcher, "task/a:", first.get(3).key(), 4);
                assertThat(first)
                        .extracting(ReplicaListing.Line::recordKey)
                        .containsExactly("a:id0", "a:id1", "a:id2", "a:id3");
                assertThat(first.get(3).version()).isEqualTo(2);
                assertThat(second)
                        .extracting(ReplicaListing.Line::recordKey)
                        .containsExactly("a:id4", "a:id5", "a:id6");
            } finally {
                index.release(searcher);
            }
        }
    }

    private LuceneIndex open() throws IOException {
        return LuceneIndex.open(directory, false, 8);
    }

    private static GateDecision apply(LuceneIndex index, long version, String title, boolean deleted)
            throws IOException {
        return put(index, Samples.task("t", "id", version, title, "<p></p>", deleted));
    }

    private static GateDecision put(LuceneIndex index, TaskState state) throws IOException {
        return index.apply(ReplicaDocument.of(new IndexEvent.OfTask(Samples.event(state), state)));
    }

    private static List<ReplicaListing.Line> listing(LuceneIndex index) throws IOException {
        IndexSearcher searcher = index.acquire();
        try {
            return ReplicaListing.of(searcher, "task/", "", 100);
        } finally {
            index.release(searcher);
        }
    }
}
