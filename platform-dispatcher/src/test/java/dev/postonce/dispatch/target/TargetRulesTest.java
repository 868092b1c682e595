package dev.postonce.dispatch.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TargetRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-11T00:00:00Z");
    private static final TargetId ID = new TargetId("dev", "a-1", Platform.WORDPRESS);

    private static Desired desired(long version, String digest, String status) {
        return new Desired(version, digest, status, null);
    }

    private static Showing shows(long version, String key) {
        return new Showing(version, key, "12", "https://x/12", NOW);
    }

    private static Target target(TargetState state, Desired desired, Showing showing, Plan plan) {
        return new Target(ID, "main", 3, state, desired, showing, plan);
    }

    @Test
    void a_new_target_creates_and_a_shown_one_is_edited_or_taken_back() {
        Target blank = target(TargetState.PENDING, desired(1, "d1", "active"), Showing.NOTHING, Plan.NEW);
        assertThat(TargetRules.next(blank, null, NOW)).isEqualTo(new NextStep.Send(Action.CREATE));

        Target shown = target(TargetState.PUBLISHED, desired(2, "d2", "active"), shows(1, "active:d1"), Plan.NEW);
        assertThat(TargetRules.next(shown, null, NOW)).isEqualTo(new NextStep.Send(Action.UPDATE));

        Target withdrawn = shown.withDesired(desired(3, "d2", "draft"));
        assertThat(TargetRules.next(withdrawn, null, NOW)).isEqualTo(new NextStep.Send(Action.WITHDRAW));
    }

    @Test
    void the_same_article_in_a_newer_version_needs_no_send() {
        Target shown = target(TargetState.PUBLISHED, desired(2, "d1", "active"), shows(1, "active:d1"), Plan.NEW);
        assertThat(TargetRules.next(shown, null, NOW)).isEqualTo(new NextStep.MoveShown());
        assertThat(TargetRules.next(shown.withDesired(desired(1, "d1", "active")), null, NOW))
                .isEqualTo(new NextStep.Rest());
    }

    @Test
    void a_withdrawal_that_keeps_what_is_out_takes_nothing_back_and_makes_nothing_new() {
        Desired kept = desired(3, "d1", "kept");
        Target shown = target(TargetState.PUBLISHED, kept, shows(1, "active:d1"), Plan.NEW);
        assertThat(TargetRules.next(shown, null, NOW)).isEqualTo(new NextStep.MoveShown());
        Target edited = target(TargetState.PENDING, desired(3, "d2", "kept"), shows(1, "active:d1"), Plan.NEW);
        assertThat(TargetRules.next(edited, null, NOW)).isEqualTo(new NextStep.Send(Action.UPDATE));
        Target unseen = target(TargetState.WAITING, kept, Showing.NOTHING, Plan.NEW);
        assertThat(TargetRules.next(unseen, null, NOW)).isEqualTo(new NextStep.TakeBackUnseen());
        Target takenBack = target(TargetState.WITHDRAWN, kept, shows(2, "archived"), Plan.NEW);
        assertThat(TargetRules.next(takenBack, null, NOW)).isEqualTo(new NextStep.MoveShown());
        Target restored = takenBack.withDesired(desired(4, "d1", "active"));
        assertThat(TargetRules.next(restored, null, NOW)).isEqualTo(new NextStep.Send(Action.UPDATE));
    }

    @Test
    void withdrawn_before_any_platform_saw_it_needs_no_send() {
        for (TargetState state :
                List.of(TargetState.PENDING, TargetState.WAITING, TargetState.NOT_CONFIGURED, TargetState.FAILED)) {
            Target unseen = target(state, desired(2, "d1", "archived"), Showing.NOTHING, Plan.NEW);
            assertThat(TargetRules.next(unseen, "account_missing", NOW)).isEqualTo(new NextStep.TakeBackUnseen());
        }
    }

    @Test
    void what_was_refused_is_not_tried_again_until_it_changes() {
        Plan refused = Plan.NEW.refused("active:d1", "slug_taken", null);
        Target failed = target(TargetState.FAILED, desired(1, "d1", "active"), Showing.NOTHING, refused);
        assertThat(TargetRules.next(failed, null, NOW)).isEqualTo(new NextStep.Rest());
        assertThat(TargetRules.next(failed.withDesired(desired(2, "d1", "active")), null, NOW))
                .isEqualTo(new NextStep.Rest());
        assertThat(TargetRules.next(failed.withDesired(desired(2, "d2", "active")), null, NOW))
                .isEqualTo(new NextStep.Send(Action.CREATE));
    }

    @Test
    void a_frozen_attempt_makes_everything_wait_in_every_state() {
        Plan open = Plan.NEW.attempting(UUID.fromString("00000000-0000-7000-8000-000000000001"), NOW);
        for (TargetState state : TargetState.values()) {
            Target frozen = target(state, desired(9, "d9", "archived"), shows(1, "active:d1"), open);
            assertThat(TargetRules.next(frozen, null, NOW)).as(state.name()).isEqualTo(new NextStep.Rest());
        }
    }

    @Test
    void publish_at_holds_a_post_but_not_a_withdrawal() {
        Instant later = NOW.plusSeconds(60);
        Desired timed = new Desired(1, "d1", "active", later);
        Target blank = target(TargetState.PENDING, timed, Showing.NOTHING, Plan.NEW);
        assertThat(TargetRules.next(blank, null, NOW)).isEqualTo(new NextStep.WaitUntil(later));
        assertThat(TargetRules.next(blank, null, later)).isEqualTo(new NextStep.Send(Action.CREATE));

        Target shown =
                target(TargetState.PUBLISHED, new Desired(2, "d1", "archived", later), shows(1, "active:d1"), Plan.NEW);
        assertThat(TargetRules.next(shown, null, NOW)).isEqualTo(new NextStep.Send(Action.WITHDRAW));
    }

    @Test
    void a_platform_without_an_account_is_not_configured() {
        Target blank = target(TargetState.PENDING, desired(1, "d1", "active"), Showing.NOTHING, Plan.NEW);
        TargetChange change = TargetChange.of(blank, NOW);
        TargetRules.plan(change, "account_missing");
        assertThat(change.target().state()).isEqualTo(TargetState.NOT_CONFIGURED);
        assertThat(change.target().plan().errorCode()).isEqualTo("account_missing");
        assertThat(change.target().plan().dueAt()).isNull();
    }

    @Test
    void a_restored_task_revives_its_post() {
        Target withdrawn = target(TargetState.WITHDRAWN, desired(3, "d1", "active"), shows(2, "archived"), Plan.NEW);
        assertThat(TargetRules.next(withdrawn, null, NOW)).isEqualTo(new NextStep.Send(Action.UPDATE));
        Target other = withdrawn.withDesired(desired(3, "d1", "draft"));
        assertThat(TargetRules.next(other, null, NOW)).isEqualTo(new NextStep.Send(Action.WITHDRAW));
        Target same = withdrawn.withDesired(desired(3, "d7", "archived"));
        assertThat(TargetRules.next(same, null, NOW)).isEqualTo(new NextStep.MoveShown());
    }

    @Test
    void a_newer_version_waits_for_a_retry_s_delay() {
        Plan waiting = Plan.NEW.retryAt(NOW.plusSeconds(30), "rate_limited", null);
        TargetChange change =
                TargetChange.of(target(TargetState.WAITING, desired(2, "d2", "active"), Showing.NOTHING, waiting), NOW);
        TargetRules.plan(change, null);
        assertThat(change.target().state()).isEqualTo(TargetState.WAITING);
        assertThat(change.target().plan().dueAt()).isEqualTo(NOW.plusSeconds(30));
    }

    @Test
    void each_change_of_state_is_an_event_with_the_next_version() {
        TargetChange change =
                TargetChange.of(target(TargetState.FAILED, desired(2, "d2", "active"), Showing.NOTHING, Plan.NEW), NOW);
        change.to(TargetState.WAITING, current -> current);
        assertThat(change.events()).extracting("state").containsExactly("pending", "waiting");
        assertThat(change.events()).extracting("version").containsExactly(4L, 5L);
    }

    @Test
    void a_change_that_the_table_forbids_is_refused() {
        for (TargetState from : TargetState.values()) {
            for (TargetState to : TargetState.values()) {
                TargetChange change =
                        TargetChange.of(target(from, desired(1, "d", "active"), Showing.NOTHING, Plan.NEW), NOW);
                boolean viaPending = from.mayBecome(TargetState.PENDING) && TargetState.PENDING.mayBecome(to);
                if (from == to || from.mayBecome(to) || viaPending) {
                    assertThat(change.to(to, current -> current).target().state())
                            .isEqualTo(to);
                } else {
                    assertThatThrownBy(() -> change.to(to, current -> current))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(from.name());
                }
            }
        }
    }

    /** Any desired state, any shown state: planning never breaks the table, and planning twice changes nothing more. */
    @Test
    void planning_is_total_and_settles_at_once() {
        for (TargetState state : TargetState.values()) {
            for (Desired desired : everyDesired()) {
                for (Showing showing : List.of(Showing.NOTHING, shows(1, "active:d1"), shows(1, "draft"))) {
                    for (String missing : new String[] {null, "account_missing"}) {
                        check(target(state, desired, showing, Plan.NEW), missing);
                        check(target(state, desired, showing, Plan.NEW.refused("active:d1", "x", null)), missing);
                    }
                }
            }
        }
    }

    private static List<Desired> everyDesired() {
        List<Desired> all = new ArrayList<>();
        for (String status : List.of("active", "draft", "archived", "kept")) {
            for (String digest : List.of("d1", "d2")) {
                for (Instant at : new Instant[] {null, NOW.plusSeconds(5), NOW.minusSeconds(5)}) {
                    all.add(new Desired(2, digest, status, at));
                }
            }
        }
        return all;
    }

    private static void check(Target target, String missing) {
        TargetChange once = TargetChange.of(target, NOW);
        TargetRules.plan(once, missing);
        TargetChange twice = TargetChange.of(once.target(), NOW);
        TargetRules.plan(twice, missing);
        assertThat(twice.events()).as("%s then %s", target, once.target()).isEmpty();
    }

    @Test
    void delays_double_up_to_their_cap_with_jitter_in_the_upper_half() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RetryDelays delays = new RetryDelays(Duration.ofSeconds(1), Duration.ofMinutes(5));
        for (int tries = 0; tries < 70; tries++) {
            long full = Math.min(300_000, 1000L << Math.min(tries, 20));
            assertThat(delays.after(tries, random).toMillis())
                    .as("seed %d, tries %d", seed, tries)
                    .isBetween(full - full / 2, full);
        }
        assertThat(delays.obeying(Duration.ofSeconds(7), random)).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
        assertThat(delays.obeying(Duration.ofDays(30), random)).isLessThan(Duration.ofDays(2));
        assertThatThrownBy(() -> new RetryDelays(Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
