package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.task.TaskSubmission.Media;
import dev.postonce.ingest.task.UpdateRules.Decision;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which row of the table wins where several fit an update. */
class UpdateRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-11T00:00:00Z");
    private static final Article ARTICLE = new Article("<p>x</p>", "html", "article", "submitted");

    private static TaskUpdate update(long version, String title, String slug, String... platforms) {
        return new TaskUpdate(
                new TaskSubmission(
                        "a",
                        null,
                        "group",
                        title,
                        Media.HTML,
                        "<p>x</p>",
                        null,
                        null,
                        List.of(),
                        null,
                        List.of(platforms),
                        null,
                        null,
                        null,
                        null,
                        slug,
                        null,
                        null),
                true,
                version);
    }

    private static KnownTask task(String externalId, long version, String slug, String group, String status) {
        Shown shown =
                new Shown("title", "html", null, null, List.of(), null, null, null, null, slug, null, null, null, null);
        return new KnownTask(
                UUID.fromString("00000000-0000-7000-8000-000000000001"),
                externalId,
                version,
                status,
                group,
                List.of("toutiao"),
                shown,
                null,
                List.of(),
                false,
                NOW,
                NOW,
                null);
    }

    private static final KnownTask PRESENT = task("a", 3, "s", "group", "active");

    private static Decision judge(TaskUpdate update, KeyRecord key, KnownTask... tasks) {
        return UpdateRules.judge(update, ARTICLE, new Known(key, List.of(tasks)), "payload", NOW);
    }

    private static ErrorCode refusal(TaskUpdate update, KeyRecord key, KnownTask... tasks) {
        return catchThrowableOfType(Refusal.class, () -> judge(update, key, tasks))
                .code();
    }

    @Test
    void the_present_version_is_changed_and_new_platforms_are_named() {
        assertThat(judge(update(3, "new", "s", "toutiao", "ghost"), null, PRESENT))
                .isEqualTo(new Decision.Changes(PRESENT, List.of("ghost")));
        assertThat(judge(update(3, "title", "s", "ghost"), null, PRESENT))
                .as("equal content, a new platform")
                .isEqualTo(new Decision.Changes(PRESENT, List.of("ghost")));
    }

    @Test
    void equal_content_for_the_present_or_the_preceding_version_is_a_repetition_and_no_older_one() {
        assertThat(judge(update(3, "title", "s", "toutiao"), null, PRESENT)).isInstanceOf(Decision.Repeated.class);
        assertThat(judge(update(2, "title", "s"), null, PRESENT)).isInstanceOf(Decision.Repeated.class);
        assertThat(refusal(update(1, "title", "s"), null, PRESENT)).isEqualTo(ErrorCode.VERSION_CONFLICT);
        assertThat(refusal(update(4, "title", "s"), null, PRESENT)).isEqualTo(ErrorCode.VERSION_CONFLICT);
        assertThat(refusal(update(2, "title", "s", "ghost"), null, PRESENT)).isEqualTo(ErrorCode.VERSION_CONFLICT);
        assertThat(refusal(update(2, "new", "s"), null, PRESENT)).isEqualTo(ErrorCode.VERSION_CONFLICT);
    }

    @Test
    void the_header_is_decided_before_everything_else() {
        KeyRecord same = new KeyRecord("payload", "a", NOW.plusSeconds(1));
        assertThat(judge(update(1, "new", "s"), same, PRESENT)).isInstanceOf(Decision.Repeated.class);
        KeyRecord other = new KeyRecord("another", "a", NOW.plusSeconds(1));
        assertThat(refusal(update(3, "new", "s"), other, PRESENT)).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_REUSED);
        KeyRecord expired = new KeyRecord("another", "a", NOW);
        assertThat(judge(update(3, "new", "s"), expired, PRESENT)).isInstanceOf(Decision.Changes.class);
    }

    @Test
    void another_tasks_slug_wins_over_the_group_which_wins_over_a_withdrawal_which_wins_over_the_version() {
        KnownTask other = task("b", 1, "taken", "group", "active");
        KnownTask elsewhere = task("a", 3, "s", "other", "archived");
        KnownTask withdrawn = task("a", 3, "s", "group", "archived");
        assertThat(refusal(update(1, "new", "taken"), null, elsewhere, other)).isEqualTo(ErrorCode.SLUG_CONFLICT);
        assertThat(refusal(update(1, "new", "s"), null, elsewhere)).isEqualTo(ErrorCode.GROUP_CONFLICT);
        assertThat(judge(update(1, "new", "s"), null, withdrawn))
                .isInstanceOfSatisfying(Decision.Repeated.class, repeated -> assertThat(
                                repeated.replay().contentDiffers())
                        .containsExactly("title"));
        assertThat(refusal(update(1, "new", "s"), null)).isEqualTo(ErrorCode.NOT_FOUND);
    }
}
