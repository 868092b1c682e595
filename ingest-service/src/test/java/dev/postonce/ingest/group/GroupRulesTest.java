package dev.postonce.ingest.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.GroupState;
import dev.postonce.ingest.group.GroupRules.Known;
import dev.postonce.ingest.group.GroupRules.Verdict;
import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.web.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-29T18:00:00Z");
    private static final GroupRef REF = new GroupRef("submit_index", "u:some_group");

    @Test
    void a_change_of_the_present_version_is_made() {
        assertThat(update("new name", "\"3\"", entry(3, false))).isInstanceOf(Verdict.Changes.class);
        assertThat(update("new name", "3", entry(3, false))).isInstanceOf(Verdict.Changes.class);
    }

    @Test
    void a_change_of_another_version_is_refused_with_the_present_one() {
        for (String stale : new String[] {"\"2\"", "\"4\""}) {
            Verdict verdict = update("new name", stale, entry(3, false));
            assertThat(codeOf(verdict)).isEqualTo(ErrorCode.VERSION_CONFLICT);
            assertThat(((Verdict.Refused) verdict).refusal().members()).containsEntry("current_version", 3L);
        }
    }

    @Test
    void an_update_equal_to_the_current_content_with_the_preceding_version_is_a_replay() {
        assertThat(update("old name", "\"2\"", entry(3, false))).isInstanceOf(Verdict.Replayed.class);
        assertThat(update("old name", "\"3\"", entry(3, false))).isInstanceOf(Verdict.Replayed.class);
        assertThat(codeOf(update("old name", "\"1\"", entry(3, false)))).isEqualTo(ErrorCode.VERSION_CONFLICT);
    }

    @Test
    void a_removed_entry_answers_with_its_state_before_any_version_is_asked_for() {
        assertThat(update("new name", null, entry(3, true))).isInstanceOf(Verdict.Replayed.class);
        assertThat(change(new GroupChange.Removal(), "\"1\"", entry(3, true))).isInstanceOf(Verdict.Replayed.class);
    }

    @Test
    void removing_and_restoring_need_no_version_and_obey_one() {
        assertThat(change(new GroupChange.Removal(), null, entry(3, false))).isInstanceOf(Verdict.Changes.class);
        assertThat(codeOf(change(new GroupChange.Removal(), "\"2\"", entry(3, false))))
                .isEqualTo(ErrorCode.VERSION_CONFLICT);
        assertThat(change(new GroupChange.Restoration(), null, entry(3, true))).isInstanceOf(Verdict.Changes.class);
        assertThat(change(new GroupChange.Restoration(), null, entry(3, false))).isInstanceOf(Verdict.Replayed.class);
    }

    @Test
    void the_key_is_decided_before_the_name() {
        KeyRecord other = new KeyRecord("another digest", REF.toString(), NOW.plusSeconds(1));
        KeyRecord same = new KeyRecord("digest", REF.toString(), NOW.plusSeconds(1));
        KeyRecord expired = new KeyRecord("another digest", REF.toString(), NOW);
        GroupChange removal = new GroupChange.Removal();

        assertThat(codeOf(GroupRules.judge(removal, REF, null, known(other, entry(3, false)), "digest", NOW)))
                .isEqualTo(ErrorCode.IDEMPOTENCY_KEY_REUSED);
        assertThat(GroupRules.judge(removal, REF, null, known(same, entry(3, false)), "digest", NOW))
                .isInstanceOfSatisfying(Verdict.Replayed.class, replayed -> assertThat(replayed.kind())
                        .isEqualTo("header"));
        assertThat(GroupRules.judge(removal, REF, null, known(expired, entry(3, false)), "digest", NOW))
                .isInstanceOf(Verdict.Changes.class);
    }

    @Test
    void versions_go_on_over_removal_and_return() {
        GroupState first = entry(1, false).state();
        GroupState back = GroupStates.removed(GroupStates.removed(first, true), false);

        assertThat(back.version()).isEqualTo(3);
        assertThat(back.deleted()).isFalse();
        assertThat(back.id()).isEqualTo(first.id());
        assertThat(back.contentDigest()).isNotEqualTo(first.contentDigest());
    }

    private static Verdict update(String name, @Nullable String ifMatch, KnownGroup entry) {
        return change(new GroupChange.Update(content(name)), ifMatch, entry);
    }

    private static Verdict change(GroupChange change, @Nullable String ifMatch, KnownGroup entry) {
        return GroupRules.judge(change, REF, ifMatch, known(null, entry), "digest", NOW);
    }

    private static Known known(@Nullable KeyRecord key, KnownGroup entry) {
        return new Known(key, List.of(entry));
    }

    private static @Nullable ErrorCode codeOf(Verdict verdict) {
        return verdict instanceof Verdict.Refused refused ? refused.refusal().code() : null;
    }

    private static GroupSubmission content(String name) {
        return new GroupSubmission("submit_index", "", "u:some_group", name, null, List.of(), null, "zh", null);
    }

    private static KnownGroup entry(long version, boolean deleted) {
        GroupState state = GroupStates.first("alpha", new UUID(0, 1), content("old name"));
        for (long next = 2; next <= version; next++) {
            state = GroupStates.removed(state, next == version && deleted);
        }
        return new KnownGroup(state, NOW, NOW);
    }
}
