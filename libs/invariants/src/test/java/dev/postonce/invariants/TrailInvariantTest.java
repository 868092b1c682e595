package dev.postonce.invariants;

import static dev.postonce.invariants.History.ANCIENT;
import static dev.postonce.invariants.History.BLOG;
import static dev.postonce.invariants.History.GROUP;
import static dev.postonce.invariants.History.HOOK;
import static dev.postonce.invariants.History.NOTE;
import static dev.postonce.invariants.History.OLD;
import static dev.postonce.invariants.History.PROMO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Topics;
import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.AuditFact;
import dev.postonce.invariants.facts.CallbackFact;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.TargetKey;
import dev.postonce.invariants.facts.UndecodableFact;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each checker of what the services wrote down, with a history that it must reject. */
class TrailInvariantTest {

    private static final UUID FIRST = History.uuid("first");

    private static History clean() {
        return History.clean().trails();
    }

    private static void rejects(Invariant invariant, History history, ViolationKind kind) {
        CheckResult result = history.check(invariant);
        assertThat(result.violations())
                .singleElement()
                .extracting(Violation::kind)
                .isEqualTo(kind);
        assertThat(result.violations().get(0).remedy()).isNotBlank();
    }

    @Test
    void a_clean_history_is_clean() {
        assertThat(clean().checkAll()).allMatch(CheckResult::holds);
        assertThat(clean().checkAll()).extracting(CheckResult::invariant).doesNotHaveDuplicates();
        assertThat(History.clean().checkAll()).allMatch(CheckResult::holds);
    }

    @Test
    void I1_a_version_without_an_event() {
        rejects(new OneEventPerChange(), clean().outbox(NOTE, 3, OLD), ViolationKind.MISSING);
    }

    @Test
    void I1_two_events_of_one_version() {
        OutboxFact other = new OutboxFact(NOTE, FIRST, 1, OLD, History.data(NOTE, 1), History.print("another content"));
        rejects(new OneEventPerChange(), clean().outbox(other), ViolationKind.DOUBLED);
    }

    @Test
    void I1_a_platform_without_a_target_and_a_target_without_a_platform() {
        TargetKey zhihu = new TargetKey("dev", "mall_promo_1111_kv_v2", "zhihu");
        rejects(new OneEventPerChange(), clean().wanted(zhihu, false), ViolationKind.MISSING);
        rejects(new OneEventPerChange(), clean().board(zhihu, "pending", null), ViolationKind.EXTRA);
    }

    @Test
    void I3_a_request_that_stands_for_another_resource() {
        rejects(new SameAnswer(), clean().answer(PROMO, FIRST), ViolationKind.UNTRUE);
    }

    @Test
    void I3_a_resource_that_was_created_twice() {
        rejects(new SameAnswer(), clean().audit(GROUP, 2, 1), ViolationKind.DOUBLED);
    }

    @Test
    void I5_an_older_copy_that_came_last() {
        rejects(new NewestLast(), clean().onTopic(copy(ANCIENT)), ViolationKind.OUT_OF_ORDER);
        assertThat(clean().onTopic(copy(OLD)).check(new NewestLast()).holds()).isTrue();
        assertThat(clean().onTopic(copy(ANCIENT))
                        .onTopic(PROMO, 2)
                        .check(new NewestLast())
                        .holds())
                .isTrue();
    }

    @Test
    void I7_an_attempt_that_did_not_wait() {
        History history = History.empty()
                .attempt(sent(FIRST, 100, 5_000L, null, "bytes", true))
                .attempt(sent(History.uuid("second"), 4_000, 6_000L, null, "bytes", true));
        rejects(new LedgerDiscipline(), history, ViolationKind.DOUBLED);
        History open = History.empty()
                .attempt(sent(FIRST, 100, null, null, "bytes", true))
                .attempt(sent(History.uuid("second"), 4_000, 6_000L, null, "bytes", true));
        rejects(new LedgerDiscipline(), open, ViolationKind.DOUBLED);
    }

    @Test
    void I7_a_resend_without_a_key_or_with_other_bytes() {
        rejects(
                new LedgerDiscipline(),
                History.empty()
                        .attempt(sent(FIRST, 100, 200L, null, "bytes", false))
                        .attempt(sent(History.uuid("second"), 300, null, FIRST, "bytes", false)),
                ViolationKind.DOUBLED);
        rejects(
                new LedgerDiscipline(),
                History.empty()
                        .attempt(sent(FIRST, 100, 200L, null, "bytes", true))
                        .attempt(sent(History.uuid("second"), 300, null, FIRST, "other bytes", true)),
                ViolationKind.UNTRUE);
        assertThat(History.empty()
                        .attempt(sent(FIRST, 100, 200L, null, "bytes", true))
                        .attempt(sent(History.uuid("second"), 300, null, FIRST, "bytes", true))
                        .check(new LedgerDiscipline())
                        .holds())
                .isTrue();
    }

    @Test
    void I7_a_post_without_an_attempt() {
        TargetKey other = new TargetKey("dev", "mall_promo_1111_kv_v2", "zhihu");
        History history =
                History.empty().dispatch(other, "main", 1, "pending", OLD).post(other, "main", "7");
        rejects(new LedgerDiscipline(), history, ViolationKind.EXTRA);
    }

    @Test
    void I8_a_change_that_the_table_does_not_know() {
        rejects(new LegalTransitions(), clean().transition(BLOG, 4, "published", "in_doubt"), ViolationKind.UNTRUE);
    }

    @Test
    void I9_a_resting_target_that_nobody_was_told_of() {
        TargetKey zhihu = new TargetKey("dev", "mall_promo_1111_kv_v2", "zhihu");
        rejects(
                new ConvergingCallbacks(),
                clean().board(zhihu, "failed", 1L).wanted(zhihu, true),
                ViolationKind.MISSING);
    }

    @Test
    void I9_a_newest_callback_that_tells_of_an_older_state() {
        rejects(new ConvergingCallbacks(), clean().board(BLOG, "failed", 4L), ViolationKind.STALE);
        rejects(
                new ConvergingCallbacks(),
                clean().callback(HOOK, 9, 2, "published", "delivered"),
                ViolationKind.OUT_OF_ORDER);
    }

    @Test
    void I9_a_version_that_looks_like_the_one_before_and_was_not_told() {
        History history = History.clean()
                .withTrails()
                .wanted(BLOG, true)
                .callback(new CallbackFact(BLOG, 1, 3, "published", 1, "delivered", "delivered"));
        rejects(new ConvergingCallbacks(), history, ViolationKind.STALE);
    }

    @Test
    void I9_a_newest_callback_that_was_dropped() {
        rejects(
                new ConvergingCallbacks(),
                clean().callback(HOOK, 9, 9, "published", "superseded"),
                ViolationKind.MISSING);
        rejects(
                new ConvergingCallbacks(),
                clean().callback(new CallbackFact(HOOK, 9, 9, "published", 2, "parked", null)),
                ViolationKind.UNTRUE);
    }

    @Test
    void I11_a_record_that_a_reader_passed_by() {
        UndecodableFact odd = new UndecodableFact(Topics.TASK, 0, 40, "no JSON", OLD);
        rejects(
                new NothingHalfKnownDropped(),
                clean().undecodable(odd).kept(ParkedFact.By.INDEX, Topics.TASK, 40, "undecodable"),
                ViolationKind.MISSING);
        assertThat(clean().undecodable(odd)
                        .kept(ParkedFact.By.INDEX, Topics.TASK, 40, "undecodable")
                        .kept(ParkedFact.By.DISPATCH, Topics.TASK, 40, "undecodable")
                        .check(new NothingHalfKnownDropped())
                        .holds())
                .isTrue();
    }

    @Test
    void I11_something_parked_without_a_reason_and_a_person_asked_for_nothing() {
        rejects(
                new NothingHalfKnownDropped(),
                clean().kept(ParkedFact.By.INGEST, Topics.DISPATCH, 3, " "),
                ViolationKind.UNTRUE);
        rejects(
                new NothingHalfKnownDropped(),
                History.empty().withTrails().dispatch(BLOG, "main", 4, "awaiting_operator", OLD),
                ViolationKind.UNTRUE);
    }

    @Test
    void I12_a_version_that_nobody_asked_for() {
        rejects(new Audited(), clean().audit(PROMO, 1, 1), ViolationKind.MISSING);
        rejects(new Audited(), clean().audit(NOTE, 0, 1), ViolationKind.MISSING);
        rejects(new Audited(), clean().audit(NOTE, 1, 2), ViolationKind.EXTRA);
        rejects(new Audited(), clean().audit(new AuditFact(PROMO, 1, 1, 2)), ViolationKind.MISSING);
    }

    private static RecordFact copy(long appendedAtMs) {
        return new RecordFact(
                PROMO, History.event(PROMO, 1), 1, OLD, 0, 99, History.data(PROMO, 1), "dev", appendedAtMs);
    }

    private static AttemptFact sent(
            UUID id,
            long startedAtMs,
            @Nullable Long settledAtMs,
            @Nullable UUID resendOf,
            String bytes,
            boolean keyed) {
        return new AttemptFact(
                HOOK,
                id,
                2,
                startedAtMs,
                settledAtMs == null ? null : "resent",
                new AttemptFact.Sent("hook", History.print(bytes), keyed, resendOf, settledAtMs));
    }
}
