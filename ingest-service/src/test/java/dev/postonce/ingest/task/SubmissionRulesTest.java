package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.task.TaskSubmission.Media;
import dev.postonce.ingest.task.Verdict.Extends;
import dev.postonce.ingest.task.Verdict.Refused;
import dev.postonce.ingest.task.Verdict.Replayed;
import dev.postonce.ingest.task.Verdict.Unknown;
import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.web.ErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which row of the table wins where several fit. */
class SubmissionRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-11T00:00:00Z");
    private static final Article ARTICLE = new Article("<p>x</p>", "html", "article", "submitted");

    private static TaskSubmission submission(String externalId, String slug, String... platforms) {
        return new TaskSubmission(
                externalId,
                null,
                "group",
                "title",
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
                "en",
                null);
    }

    private static KnownTask task(String externalId, String slug, String title, String status) {
        Shown shown =
                new Shown(title, "html", null, null, List.of(), null, null, null, null, slug, "en", null, null, null);
        return new KnownTask(
                UUID.fromString("00000000-0000-7000-8000-000000000001"),
                externalId,
                3,
                status,
                "group",
                List.of("toutiao"),
                shown,
                null,
                List.of(),
                false,
                NOW,
                NOW,
                null);
    }

    private static Verdict judge(TaskSubmission submission, KeyRecord key, KnownTask... tasks) {
        return SubmissionRules.judge(
                submission, ARTICLE, new Known(key, List.of(tasks)), "payload", NOW, TenantPolicy.DEFAULT);
    }

    @Test
    void nothing_known_is_unknown() {
        assertThat(judge(submission("a", "s", "toutiao"), null)).isInstanceOf(Unknown.class);
    }

    @Test
    void the_header_is_decided_before_the_natural_key() {
        KeyRecord other = new KeyRecord("another", "a", NOW.plusSeconds(1));
        assertThat(judge(submission("a", null, "toutiao"), other, task("a", null, "title", "active")))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_REUSED));
        KeyRecord same = new KeyRecord("payload", "bound", NOW.plusSeconds(1));
        assertThat(judge(submission("a", null, "toutiao", "ghost"), same, task("bound", null, "title", "active")))
                .isInstanceOfSatisfying(Replayed.class, replayed -> {
                    assertThat(replayed.kind()).isEqualTo("header");
                    assertThat(replayed.notAdded()).containsExactly("ghost");
                });
    }

    @Test
    void an_expired_header_decides_nothing() {
        KeyRecord expired = new KeyRecord("another", "z", NOW);
        assertThat(judge(submission("a", null, "toutiao"), expired, task("a", null, "title", "active")))
                .isInstanceOf(Replayed.class);
    }

    @Test
    void the_slug_of_another_task_is_decided_before_the_external_id() {
        assertThat(judge(
                        submission("a", "s", "toutiao"),
                        null,
                        task("a", null, "title", "active"),
                        task("b", "s", "other", "active")))
                .isInstanceOfSatisfying(Refused.class, refused -> {
                    assertThat(refused.refusal().code()).isEqualTo(ErrorCode.SLUG_CONFLICT);
                    assertThat(refused.refusal().members().get("differs")).isEqualTo(List.of("title"));
                });
        assertThat(judge(submission("a", "s", "toutiao"), null, task("b", "s", "title", "active")))
                .isInstanceOfSatisfying(
                        Replayed.class, replayed -> assertThat(replayed.kind()).isEqualTo("slug"));
    }

    @Test
    void a_tasks_own_slug_is_no_conflict() {
        assertThat(judge(submission("a", "s", "toutiao"), null, task("a", "s", "other", "active")))
                .isInstanceOfSatisfying(Replayed.class, replayed -> assertThat(replayed.contentDiffers())
                        .containsExactly("title"));
    }

    @Test
    void platforms_are_added_only_to_an_active_task_with_equal_content() {
        assertThat(judge(submission("a", null, "toutiao", "ghost"), null, task("a", null, "title", "active")))
                .isInstanceOfSatisfying(Extends.class, extending -> assertThat(extending.newPlatforms())
                        .containsExactly("ghost"));
        assertThat(judge(submission("a", null, "ghost"), null, task("a", null, "title", "draft")))
                .isInstanceOf(Replayed.class);
        assertThat(judge(submission("a", null, "ghost"), null, task("a", null, "other", "active")))
                .isInstanceOf(Replayed.class);
    }
}
