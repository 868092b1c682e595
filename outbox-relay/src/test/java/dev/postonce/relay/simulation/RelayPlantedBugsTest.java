package dev.postonce.relay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.simulation.RelayWorld.Sabotage;
import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the tester: each bug, put in the place of a right part, must be found within a few seeds. */
@ExtendWith(QuietLogs.class)
class RelayPlantedBugsTest {

    private static final int SEEDS_MAX = 20;

    @Test
    void planted_a_position_that_is_stored_before_the_rows_are_sent_is_caught() {
        caught("mark before send", new Sabotage(true, UnaryOperator.identity(), false));
    }

    @Test
    void planted_a_copy_under_a_new_event_id_is_caught() {
        caught("retry under a new event id", rows(rows -> rows.stream()
                .map(row -> withId(row, UUID.randomUUID()))
                .toList()));
    }

    @Test
    void planted_rows_in_the_order_of_their_sequence_are_caught() {
        caught("order of the sequence instead of the commits", rows(rows -> rows.stream()
                .sorted(Comparator.comparingLong(OutboxRow::seq))
                .toList()));
    }

    @Test
    void planted_polling_by_a_rising_sequence_is_caught() {
        AtomicLong last = new AtomicLong();
        caught("poll by id > last", rows(rows -> {
            List<OutboxRow> newer =
                    rows.stream().filter(row -> row.seq() > last.get()).toList();
            newer.forEach(row -> last.accumulateAndGet(row.seq(), Math::max));
            return newer;
        }));
    }

    @Test
    void planted_a_row_that_is_left_out_is_caught() {
        caught("a row left out", rows(rows -> rows.size() > 5 ? rows.subList(0, 5) : rows));
    }

    @Test
    void planted_acknowledgements_of_one_replica_are_caught() {
        caught("acks=1", new Sabotage(false, UnaryOperator.identity(), true));
    }

    @Test
    void a_seed_that_fails_fails_the_same_way_each_time() {
        Sabotage bug = new Sabotage(true, UnaryOperator.identity(), false);
        long seed = Seeds.firstThatFails(simulation -> RelayWorld.run(simulation, bug), SEEDS_MAX)
                .orElseThrow();
        assertThat(Seeds.failuresOf(simulation -> RelayWorld.run(simulation, bug), seed, 10))
                .singleElement()
                .asString()
                .contains("passed what was not published");
    }

    private static Sabotage rows(UnaryOperator<List<OutboxRow>> rows) {
        return new Sabotage(false, rows, false);
    }

    private static OutboxRow withId(OutboxRow row, UUID id) {
        return new OutboxRow(
                row.seq(),
                id,
                row.topic(),
                row.recordKey(),
                row.eventType(),
                row.source(),
                row.subject(),
                row.aggregateVersion(),
                row.occurredAt(),
                row.traceparent(),
                row.data());
    }

    private static void caught(String bug, Sabotage sabotage) {
        OptionalLong seeds = Seeds.firstThatFails(simulation -> RelayWorld.run(simulation, sabotage), SEEDS_MAX);
        System.out.println("planted: " + bug + ": caught by seed " + seeds);
        assertThat(seeds).as(bug + " within " + SEEDS_MAX + " seeds").isPresent();
    }
}
