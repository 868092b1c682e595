package dev.postonce.index.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ReplicaStartTest {

    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final ReplicaStart START =
            new ReplicaStart(Map.of("t", "id-1"), Map.of(P0, 5L, P1, 0L), Map.of(P0, 10L, P1, 3L));

    @Test
    void goes_on_from_offsets_that_are_still_there() {
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 5L, P1, 3L), Map.of("t", "id-1"))))
                .isEmpty();
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 10L, P1, 0L), Map.of("t", "id-1"))))
                .isEmpty();
    }

    @Test
    void begins_anew_when_an_offset_is_missing_or_out_of_range_or_of_another_topic() {
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 4L, P1, 3L), Map.of("t", "id-1"))))
                .isPresent();
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 11L, P1, 3L), Map.of("t", "id-1"))))
                .isPresent();
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 7L), Map.of("t", "id-1"))))
                .isPresent();
        assertThat(START.whyNotFrom(new Checkpoint(Map.of(P0, 7L, P1, 3L), Map.of("t", "id-0"))))
                .isPresent();
    }

    @Test
    void after_a_seed_it_reads_on_where_the_writers_were() {
        assertThat(START.offsetsForSeed(Map.of(P0, 8L))).isEqualTo(Map.of(P0, 8L, P1, 0L));
        assertThat(START.offsetsForSeed(Map.of(P0, 99L, P1, 2L))).isEqualTo(Map.of(P0, 5L, P1, 2L));
    }

    @Test
    void a_checkpoint_survives_its_commit_and_one_of_another_format_is_none() {
        Checkpoint checkpoint = new Checkpoint(Map.of(P0, 7L, P1, 1L), Map.of("t", "id-1"));
        assertThat(Checkpoint.ofUserData(checkpoint.toUserData().entrySet())).contains(checkpoint);
        assertThat(Checkpoint.ofUserData(Map.of("postonce.format", "0").entrySet()))
                .isEmpty();
        assertThat(Checkpoint.ofUserData(Map.<String, String>of().entrySet())).isEmpty();
    }
}
