package dev.postonce.relay.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.ObservedSource.Publication;
import dev.postonce.relay.source.ObservedSource.Slot;
import dev.postonce.relay.source.RecordedSource.Identity;
import dev.postonce.relay.source.RecordedSource.State;
import dev.postonce.relay.source.Refusal.Code;
import dev.postonce.relay.source.SourceChecks.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceChecksTest {

    private static final OutboxSource SOURCE =
            new OutboxSource("ingest", "ingest", "a_slot", "a_publication", List.of("t.task", "t.group"));
    private static final Map<String, String> TOPICS = Map.of("t.task", "id-1", "t.group", "id-2");
    private static final Identity IDENTITY = new Identity("sys", 1, "16400:700/16500:700/16399", "cluster", TOPICS);
    private static final Slot SLOT = new Slot(true, false, "reserved", 100, 0, 0);

    private static RecordedSource recorded(State state) {
        return new RecordedSource(state, 3, state == State.NEW ? null : IDENTITY, "1:1:", null, 100, 7, "ingest@done");
    }

    private static ObservedSource observed() {
        return new ObservedSource(
                false,
                "sys",
                1,
                true,
                new Publication(IDENTITY.publicationIdentity(), null),
                SLOT,
                new ObservedSource.Kafka("cluster", TOPICS));
    }

    private static ObservedSource withSlot(@Nullable Slot slot) {
        ObservedSource o = observed();
        return new ObservedSource(false, "sys", 1, true, o.publication(), slot, o.kafka());
    }

    private static ObservedSource withKafka(String cluster, Map<String, String> topics) {
        ObservedSource o = observed();
        return new ObservedSource(
                false, "sys", 1, true, o.publication(), SLOT, new ObservedSource.Kafka(cluster, topics));
    }

    private static ObservedSource withPublication(@Nullable Publication publication) {
        return new ObservedSource(
                false, "sys", 1, true, publication, SLOT, observed().kafka());
    }

    private static Verdict streaming(ObservedSource observed) {
        return SourceChecks.decide(SOURCE, recorded(State.STREAMING), observed, null);
    }

    private static void assertRefused(Verdict verdict, Code code) {
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Refused.class, refused -> assertThat(
                        refused.refusal().code())
                .isEqualTo(code));
    }

    @Test
    void a_source_that_is_as_it_was_left_streams() {
        assertThat(streaming(observed())).isEqualTo(new Verdict.Stream());
    }

    @Test
    void a_source_that_was_never_seen_begins_with_a_new_slot() {
        assertThat(SourceChecks.decide(SOURCE, null, withSlot(null), null)).isEqualTo(new Verdict.Baseline(true));
        assertThat(SourceChecks.decide(SOURCE, recorded(State.NEW), withSlot(SLOT), null))
                .isEqualTo(new Verdict.Baseline(true));
    }

    @Test
    void a_baseline_that_was_cut_goes_on_with_its_slot() {
        assertThat(SourceChecks.decide(SOURCE, recorded(State.BASELINE), observed(), null))
                .isEqualTo(new Verdict.Baseline(false));
    }

    @Test
    void a_missing_lost_or_foreign_slot_is_refused() {
        assertRefused(streaming(withSlot(null)), Code.SLOT_MISSING);
        assertRefused(streaming(withSlot(new Slot(true, false, "lost", 100, 0, 0))), Code.SLOT_LOST);
        assertRefused(streaming(withSlot(new Slot(false, false, "reserved", 100, 0, 0))), Code.SLOT_FOREIGN);
        assertRefused(
                SourceChecks.decide(SOURCE, null, withSlot(new Slot(false, false, "reserved", 1, 0, 0)), null),
                Code.SLOT_FOREIGN);
    }

    @Test
    void a_slot_ahead_of_what_was_published_is_refused_and_one_behind_is_not() {
        assertRefused(streaming(withSlot(new Slot(true, false, "reserved", 101, 0, 0))), Code.SLOT_AHEAD);
        assertThat(streaming(withSlot(new Slot(true, false, "reserved", 99, 0, 0))))
                .isEqualTo(new Verdict.Stream());
    }

    @Test
    void log_positions_are_compared_without_sign() {
        long high = 0xF000_0000_0000_0000L;
        assertRefused(streaming(withSlot(new Slot(true, false, "reserved", high, 0, 0))), Code.SLOT_AHEAD);
    }

    @Test
    void another_system_timeline_or_publication_is_refused() {
        ObservedSource o = observed();
        assertRefused(
                streaming(new ObservedSource(false, "other", 1, true, o.publication(), SLOT, o.kafka())),
                Code.SYSTEM_CHANGED);
        assertRefused(
                streaming(new ObservedSource(false, "sys", 2, true, o.publication(), SLOT, o.kafka())),
                Code.TIMELINE_CHANGED);
        assertRefused(streaming(withPublication(new Publication("16400:701", null))), Code.PUBLICATION_CHANGED);
        assertRefused(streaming(withPublication(null)), Code.PUBLICATION_MISSING);
        assertRefused(streaming(withPublication(new Publication("x", "it filters rows"))), Code.PUBLICATION_INCOMPLETE);
        assertRefused(
                streaming(new ObservedSource(false, "sys", 1, false, null, SLOT, o.kafka())), Code.OUTBOX_MISSING);
    }

    @Test
    void another_cluster_or_topic_is_refused_and_a_topic_never_seen_is_waited_for() {
        assertRefused(streaming(withKafka("other", TOPICS)), Code.KAFKA_CLUSTER_CHANGED);
        assertRefused(streaming(withKafka("cluster", Map.of("t.task", "id-9", "t.group", "id-2"))), Code.TOPIC_CHANGED);
        assertRefused(streaming(withKafka("cluster", Map.of("t.task", "id-1"))), Code.TOPIC_CHANGED);
        assertRefused(
                SourceChecks.decide(SOURCE, null, withKafka("cluster", Map.of()), null), Code.TOPICS_NOT_THERE_YET);
    }

    @Test
    void what_is_not_there_yet_is_waited_for_before_the_first_start_only() {
        ObservedSource nothing = new ObservedSource(
                false, "sys", 1, false, null, null, observed().kafka());
        assertRefused(SourceChecks.decide(SOURCE, null, nothing, null), Code.OUTBOX_NOT_THERE_YET);
        assertRefused(streaming(nothing), Code.OUTBOX_MISSING);
    }

    @Test
    void a_standby_is_never_read() {
        ObservedSource standby =
                new ObservedSource(true, "", 0, false, null, null, observed().kafka());
        assertRefused(streaming(standby), Code.NOT_PRIMARY);
        assertRefused(SourceChecks.decide(SOURCE, null, standby, "ingest@1"), Code.NOT_PRIMARY);
    }

    @Test
    void an_operators_request_mends_what_is_broken_and_is_obeyed_once() {
        RecordedSource recorded = recorded(State.STREAMING);
        assertThat(SourceChecks.decide(SOURCE, recorded, withSlot(null), "ingest@new"))
                .isEqualTo(new Verdict.Baseline(true));
        assertRefused(SourceChecks.decide(SOURCE, recorded, withSlot(null), "ingest@done"), Code.SLOT_MISSING);
        assertThat(SourceChecks.decide(SOURCE, recorded, observed(), "ingest@done"))
                .isEqualTo(new Verdict.Stream());
    }

    @Test
    void no_request_overrules_a_publication_that_is_not_whole() {
        assertRefused(
                SourceChecks.decide(
                        SOURCE,
                        recorded(State.STREAMING),
                        withPublication(new Publication("x", "it does not publish inserts")),
                        "ingest@new"),
                Code.PUBLICATION_INCOMPLETE);
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void each_refusal_says_in_both_languages_what_mends_it(Code code) {
        Refusal refusal = new Refusal(code, "ingest", "detail");
        assertThat(refusal.english()).contains("detail").doesNotContain("%s");
        assertThat(refusal.chinese()).contains("detail").doesNotContain("%s").containsPattern("\\p{IsHan}");
        if (!refusal.passing() && code != Code.PUBLICATION_INCOMPLETE) {
            assertThat(refusal.english()).contains("POSTONCE_RELAY_REBASELINE=ingest@");
        }
    }

    @Test
    void requests_are_read_from_one_setting() {
        Map<String, String> expected = new HashMap<>(Map.of("ingest", "ingest@a"));
        assertThat(RelaySettings.parseRebaseline(" ingest@a ,", List.of(SOURCE)))
                .isEqualTo(expected);
        assertThat(RelaySettings.parseRebaseline("", List.of(SOURCE))).isEmpty();
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> RelaySettings.parseRebaseline("ingset@a", List.of(SOURCE)));
    }
}
