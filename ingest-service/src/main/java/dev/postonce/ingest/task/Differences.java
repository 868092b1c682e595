package dev.postonce.ingest.task;

import dev.postonce.ingest.task.KnownTask.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Names the fields in which a submission differs from a stored task. */
final class Differences {

    private Differences() {}

    /** Of what a reader sees, and when. */
    static List<String> ofContent(TaskSubmission submission, Article article, Shown shown) {
        List<String> fields = ofArticle(submission, article, shown);
        note(fields, "publish_at", submission.publishAt(), shown.publishAt());
        note(fields, "site", submission.site(), shown.site());
        note(fields, "slug", submission.slug(), shown.slug());
        return fields;
    }

    /** Of the article itself, whatever its address and time. */
    static List<String> ofArticle(TaskSubmission submission, Article article, Shown shown) {
        List<String> fields = new ArrayList<>();
        note(fields, "title", submission.title(), shown.title());
        note(fields, submission.media().field(), article.htmlDigest(), shown.htmlDigest());
        note(fields, "cover_url", submission.coverUrl(), shown.coverUrl());
        note(fields, "summary", submission.summary(), shown.summary());
        note(fields, "tags", submission.tags(), shown.tags());
        note(fields, "category", submission.category(), shown.category());
        note(fields, "canonical_url", submission.canonicalUrl(), shown.canonicalUrl());
        note(fields, "language", submission.language(), shown.language());
        note(fields, "translation_key", submission.translationKey(), shown.translationKey());
        return fields;
    }

    /** Of what only the upstream sees; these stand in the way of nothing. */
    static List<String> ofHandling(TaskSubmission submission, Shown shown) {
        List<String> fields = new ArrayList<>();
        note(fields, "business_ref_id", submission.businessRefId(), shown.businessRefId());
        note(fields, "callback_url", submission.callbackUrl(), shown.callbackUrl());
        return fields;
    }

    private static void note(List<String> fields, String name, @Nullable Object submitted, @Nullable Object stored) {
        if (!Objects.equals(submitted, stored)) {
            fields.add(name);
        }
    }
}
