package dev.postonce.ingest.target;

import static dev.postonce.testinfra.simulation.Simulation.require;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TargetState;
import dev.postonce.ingest.target.TellingRules.Said;
import dev.postonce.testinfra.simulation.Seeds;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However a target's history is cut into batches, the upstream ends with the newest state in which it rests. */
class TellingRulesTest {

    @Test
    void the_last_that_is_told_says_what_the_last_resting_state_says() {
        Seeds.each(TellingRulesTest::history);
    }

    @Test
    void a_look_up_that_confirms_a_post_again_is_not_told() {
        TargetEvent again = event("published", 4, 1, "u", null);
        Map<String, Said> said = Map.of(again.key(), new Said("published", 1, "u", null));
        assertThat(TellingRules.told(List.of(again), said)).isEmpty();
        assertThat(TellingRules.told(List.of(event("published", 4, 1, "other", null)), said))
                .hasSize(1);
        assertThat(TellingRules.told(List.of(event("failed", 4, 1, "u", "slug_taken")), said))
                .hasSize(1);
    }

    @Test
    void a_state_that_nobody_was_told_of_is_told_however_old_it_is() {
        TargetEvent again = event("published", 4, 1, "u", null);
        assertThat(TellingRules.told(List.of(again), Map.of())).containsExactly(again);
    }

    @Test
    void a_new_version_is_told_also_where_it_looks_like_the_one_before() {
        TargetEvent next = event("published", 4, 2, "u", null);
        assertThat(TellingRules.told(List.of(next), Map.of(next.key(), new Said("published", 1, "u", null))))
                .containsExactly(next);
        TargetEvent refusedAgain = event("not_configured", 5, 3, "u", "account_missing");
        Said before = new Said("not_configured", 2, "u", "account_missing");
        assertThat(TellingRules.told(List.of(refusedAgain), Map.of(next.key(), before)))
                .containsExactly(refusedAgain);
    }

    @Test
    void a_state_that_does_not_rest_is_not_told() {
        assertThat(TellingRules.told(List.of(event("running", 4, 2, "u", null)), Map.of()))
                .isEmpty();
        TargetEvent rested = event("failed", 5, 2, "u", "http_400");
        assertThat(TellingRules.told(List.of(rested, event("pending", 6, 3, "u", null)), Map.of()))
                .containsExactly(rested);
    }

    /** The right answer is worked out from the whole history, without batches. */
    private static void history(Simulation simulation) {
        Map<String, Said> said = new HashMap<>();
        List<Said> all = new ArrayList<>();
        Said lastResting = null;
        List<TargetEvent> batch = new ArrayList<>();
        long taskVersion = 1;
        for (int version = 1; version <= 12; version++) {
            TargetState state = simulation.pick(List.of(TargetState.values()));
            taskVersion += simulation.chance(0.3) ? 1 : 0;
            TargetEvent event = event(
                    state.wireName(),
                    version,
                    taskVersion,
                    simulation.chance(0.8) ? "u" : "v",
                    simulation.chance(0.8) ? null : "code");
            lastResting = state.callsBack() ? Said.of(event.data()) : lastResting;
            batch.add(event);
            if (simulation.chance(0.5) || version == 12) {
                for (TargetEvent told : TellingRules.told(batch, said)) {
                    Said now = Said.of(told.data());
                    require(!now.equals(said.put(told.key(), now)), "told twice in a row: " + now);
                    all.add(now);
                }
                batch.clear();
            }
        }
        Said lastTold = all.isEmpty() ? null : all.get(all.size() - 1);
        require(Objects.equals(lastTold, lastResting), "told " + lastTold + ", rests as " + lastResting);
    }

    private static TargetEvent event(
            String state, long version, long taskVersion, String url, @Nullable String errorCode) {
        DispatchState data = new DispatchState(
                "dev",
                "task",
                "wordpress",
                "main",
                version,
                false,
                taskVersion,
                null,
                state,
                null,
                url,
                null,
                errorCode,
                null,
                Instant.EPOCH,
                "digest " + version);
        EventEnvelope envelope = new EventEnvelope(
                new UUID(1, version),
                "dev.postonce.dispatch.state.v1",
                "/postonce/dispatch",
                "task/wordpress",
                Instant.EPOCH,
                RecordKey.parse("dev:task/wordpress"),
                version,
                null,
                "{}");
        return new TargetEvent(null, envelope, data, TargetState.of(state).orElseThrow());
    }
}
