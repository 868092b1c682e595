package dev.postonce.contract;

import static dev.postonce.contract.TargetState.*;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TargetStateTest {

    /** Written down a second time on purpose: a change of the table must be meant. */
    private static final Map<TargetState, Set<TargetState>> DECLARED = Map.ofEntries(
            Map.entry(PENDING, Set.of(WAITING, RUNNING, NOT_CONFIGURED, FAILED, WITHDRAWN, PAUSED)),
            Map.entry(WAITING, Set.of(PENDING, RUNNING, NOT_CONFIGURED, FAILED, WITHDRAWN, PAUSED)),
            Map.entry(RUNNING, Set.of(PUBLISHED, SUBMITTED, FAILED, WAITING, IN_DOUBT, WITHDRAWN, UPDATE_UNSUPPORTED)),
            Map.entry(IN_DOUBT, Set.of(PUBLISHED, SUBMITTED, FAILED, WAITING, AWAITING_OPERATOR, WITHDRAWN, RUNNING)),
            Map.entry(AWAITING_OPERATOR, Set.of(PUBLISHED, FAILED, PENDING, WITHDRAWN)),
            Map.entry(NOT_CONFIGURED, Set.of(PENDING, WITHDRAWN)),
            Map.entry(PUBLISHED, Set.of(PENDING, WAITING, UPDATE_UNSUPPORTED, WITHDRAWN)),
            Map.entry(SUBMITTED, Set.of(PENDING, WAITING)),
            Map.entry(UPDATE_UNSUPPORTED, Set.of(PENDING, WITHDRAWN)),
            Map.entry(FAILED, Set.of(PENDING, WITHDRAWN)),
            Map.entry(WITHDRAWN, Set.of(PENDING)),
            Map.entry(PAUSED, Set.of(PENDING, WAITING, WITHDRAWN)));

    @ParameterizedTest
    @EnumSource(TargetState.class)
    void every_pair_that_is_not_declared_is_refused(TargetState from) {
        for (TargetState to : TargetState.values()) {
            assertThat(from.mayBecome(to))
                    .as(from + " -> " + to)
                    .isEqualTo(DECLARED.get(from).contains(to));
        }
    }

    @ParameterizedTest
    @EnumSource(TargetState.class)
    void every_state_is_reached_from_pending_and_leads_back_to_it(TargetState state) {
        assertThat(reachableFrom(PENDING)).contains(state);
        assertThat(reachableFrom(state)).contains(PENDING);
    }

    @Test
    void what_is_unknown_never_becomes_a_new_send_without_a_person_or_a_look_up() {
        assertThat(IN_DOUBT.mayBecome(PENDING)).isFalse();
        assertThat(AWAITING_OPERATOR.mayBecome(RUNNING)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(TargetState.class)
    void a_state_that_calls_back_rests_and_a_state_in_motion_does_not(TargetState state) {
        Set<TargetState> moving = EnumSet.of(PENDING, WAITING, RUNNING, IN_DOUBT, PAUSED);
        assertThat(state.callsBack()).isEqualTo(!moving.contains(state));
        assertThat(state.mayBecome(state)).isFalse();
        assertThat(TargetState.of(state.wireName())).contains(state);
        assertThat(state.wireName()).matches("[a-z_]+");
    }

    @Test
    void an_unknown_name_is_no_state() {
        assertThat(TargetState.of("indexed")).isEmpty();
        assertThat(TargetState.of("PUBLISHED")).isEmpty();
    }

    private static Set<TargetState> reachableFrom(TargetState start) {
        Set<TargetState> reached = EnumSet.of(start);
        Deque<TargetState> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (TargetState next : open.pop().successors()) {
                if (reached.add(next)) {
                    open.push(next);
                }
            }
        }
        return reached;
    }
}
