package dev.postonce.invariants;

import static dev.postonce.invariants.History.BLOG;
import static dev.postonce.invariants.History.HOOK;
import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.YOUNG;
import static dev.postonce.invariants.IntakeInvariantsTest.assertOne;
import static dev.postonce.invariants.ViolationKind.DOUBLED;
import static dev.postonce.invariants.ViolationKind.EXTRA;
import static dev.postonce.invariants.ViolationKind.MISSING;
import static dev.postonce.invariants.ViolationKind.STALE;
import static dev.postonce.invariants.ViolationKind.UNTRUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.PostFact;
import dev.postonce.invariants.facts.TargetKey;
import org.junit.jupiter.api.Test;

class PostInvariantsTest {

    private static final TargetKey KEY = new TargetKey("dev", "article", "wordpress");
    private final Invariant once = new OnePost();
    private final Invariant truthful = new TruthfulStatus();

    @Test
    void a_second_post_of_one_target_is_a_double() {
        assertOne(History.clean().post(BLOG, "main", "13").check(once), DOUBLED, BLOG);
    }

    @Test
    void a_second_post_is_a_double_even_if_it_was_trashed() {
        CheckResult result = History.clean()
                .post(new PostFact("wordpress", "main", "13", History.marker(BLOG), 2L, false, 1))
                .check(once);
        assertOne(result, DOUBLED, BLOG);
    }

    @Test
    void a_webhook_that_was_told_twice_that_it_is_new_is_a_double() {
        CheckResult result = History.empty()
                .dispatch(HOOK, "hook", 3, "published", OLD)
                .board(HOOK, "published", 3L)
                .post(new PostFact("webhook", "hook", "m1", History.marker(HOOK), 2L, true, 2))
                .check(once);
        assertOne(result, DOUBLED, HOOK);
    }

    @Test
    void two_open_attempts_at_once_are_a_double() {
        CheckResult result = History.clean()
                .attempt(BLOG, "attempt 2", null)
                .attempt(BLOG, "attempt 3", null)
                .check(once);
        assertOne(result, DOUBLED, BLOG);
    }

    @Test
    void a_post_with_the_mark_of_no_target_is_extra() {
        PostFact stray = new PostFact("wordpress", "main", "13", History.marker(KEY), 1L, true, 1);
        assertOne(History.clean().post(stray).check(once), EXTRA, "wordpress/main post 13");
        assertThat(History.clean().someKeysOnly().post(stray).check(once).holds())
                .isTrue();
    }

    @Test
    void a_post_under_another_account_is_extra() {
        CheckResult result = History.empty()
                .dispatch(KEY, "main", 3, "published", OLD)
                .post(KEY, "other", "1")
                .check(once);
        assertOne(result, EXTRA, KEY);
    }

    @Test
    void a_post_of_a_target_that_was_never_dispatched_is_extra() {
        assertOne(
                History.clean()
                        .board(KEY, "pending", null)
                        .post(KEY, "main", "1")
                        .check(once),
                EXTRA,
                KEY);
    }

    @Test
    void published_without_a_post_is_missing() {
        History history =
                History.clean().dispatch(KEY, "main", 3, "published", OLD).board(KEY, "published", 3L);
        assertOne(history.check(truthful), MISSING, KEY);
        assertThat(History.clean()
                        .withoutPosts()
                        .dispatch(KEY, "main", 3, "published", OLD)
                        .board(KEY, "published", 3L)
                        .check(truthful)
                        .holds())
                .isTrue();
    }

    @Test
    void published_just_now_may_be_younger_than_what_was_read_of_the_platform() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "published", YOUNG)
                .board(KEY, "published", 3L)
                .check(truthful);
        assertThat(result.holds()).isTrue();
        assertThat(result.inFlight()).isEqualTo(1);
    }

    @Test
    void published_but_never_observed_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(new DispatchTargetFact(KEY, "main", 3, 2L, "published", "1", null, OLD))
                .board(KEY, "published", 3L)
                .post(KEY, "main", "1")
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void published_while_the_platform_shows_an_older_version_than_was_sent_is_stale() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "published", OLD)
                .board(KEY, "published", 3L)
                .attempt(KEY, "attempt 1", "done")
                .post(new PostFact("wordpress", "main", "1", History.marker(KEY), 1L, true, 1))
                .check(truthful);
        assertOne(result, STALE, KEY);
    }

    @Test
    void a_version_that_looks_the_same_was_not_sent_again_and_is_fine() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "published", OLD)
                .board(KEY, "published", 3L)
                .post(new PostFact("wordpress", "main", "1", History.marker(KEY), 1L, true, 1))
                .check(truthful);
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void failed_while_the_post_exists_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "failed", OLD)
                .board(KEY, "failed", 3L)
                .post(KEY, "main", "1")
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void withdrawn_while_the_post_is_live_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 4, "withdrawn", OLD)
                .board(KEY, "withdrawn", 4L)
                .post(KEY, "main", "1")
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void failed_while_an_outcome_is_unknown_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "failed", OLD)
                .board(KEY, "failed", 3L)
                .attempt(KEY, "attempt 1", null)
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void a_board_that_says_something_else_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "failed", OLD)
                .board(KEY, "published", 3L)
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void a_board_ahead_of_the_dispatcher_is_untrue() {
        CheckResult result = History.clean()
                .dispatch(KEY, "main", 3, "failed", OLD)
                .board(KEY, "failed", 4L)
                .check(truthful);
        assertOne(result, UNTRUE, KEY);
    }

    @Test
    void a_board_that_has_not_heard_of_an_old_result_is_stale() {
        History history =
                History.clean().dispatch(KEY, "main", 3, "failed", OLD).board(KEY, "pending", null);
        assertOne(history.check(truthful), STALE, KEY);
        AggregateKey results = new AggregateKey(AggregateKey.Kind.TARGET, "dev:article/wordpress");
        CheckResult explained = history.parked(results, ParkedFact.By.INGEST, 3).check(truthful);
        assertThat(explained.holds()).isTrue();
        assertThat(explained.explained()).isEqualTo(1);
    }

    @Test
    void an_accepted_target_that_the_dispatcher_has_not_is_missing() {
        assertOne(History.clean().board(KEY, "pending", null).check(truthful), MISSING, KEY);
    }

    @Test
    void a_dispatched_target_that_no_task_has_is_extra() {
        assertOne(History.clean().dispatch(KEY, null, 1, "pending", OLD).check(truthful), EXTRA, KEY);
    }
}
