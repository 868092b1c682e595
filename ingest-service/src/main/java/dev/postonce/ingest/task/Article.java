package dev.postonce.ingest.task;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.task.TaskSubmission.Media;
import dev.postonce.ingest.web.Refusal;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A submission's content, cleaned, and the digests by which it is recognised.
 *
 * @param html safe to hand on
 * @param htmlDigest of {@code html} alone
 * @param articleDigest of what a platform would show
 * @param submittedDigest of the content as it was submitted: an equal one is a repetition, whatever became of the
 *     cleaning rules meanwhile
 */
public record Article(String html, String htmlDigest, String articleDigest, String submittedDigest) {

    public static Article of(TaskSubmission submission, ContentCleaner cleaner) {
        Optional<String> clean = submission.media() == Media.HTML
                ? cleaner.ofHtml(submission.source())
                : cleaner.ofMarkdown(submission.source());
        String field = "/" + submission.media().field();
        String html =
                clean.orElseThrow(() -> Refusal.badPayload(field, "cannot be read: it nests too deeply or swells"));
        if (!ContentCleaner.showsSomething(html)) {
            throw Refusal.badPayload(field, "shows nothing once scripts, styles and unknown elements are removed");
        }
        return new Article(
                html, Digests.sha256Hex(html), articleDigestOf(submission, html), submittedDigestOf(submission));
    }

    /** Of content that was accepted before: nobody looks at the rest. */
    static Article acceptedBefore(String submittedDigest) {
        return new Article("", "", "", submittedDigest);
    }

    private static String articleDigestOf(TaskSubmission submission, String html) {
        ObjectNode shown = EventJson.mapper()
                .createObjectNode()
                .put("title", submission.title())
                .put("content_html", html)
                .put("cover_url", submission.coverUrl())
                .put("summary", submission.summary())
                .put("category", submission.category())
                .put("canonical_url", submission.canonicalUrl())
                .put("slug", submission.slug());
        submission.tags().forEach(shown.putArray("tags")::add);
        return Digests.ofCanonicalJson(shown);
    }

    /** Needs no cleaning, so that a repetition is recognised before it is cleaned once more. */
    static String submittedDigestOf(TaskSubmission submission) {
        ObjectNode sent = EventJson.mapper()
                .createObjectNode()
                .put("title", submission.title())
                .put(submission.media().field(), submission.source())
                .put("cover_url", submission.coverUrl())
                .put("summary", submission.summary())
                .put("category", submission.category())
                .put("canonical_url", submission.canonicalUrl())
                .put(
                        "publish_at",
                        submission.publishAt() == null
                                ? null
                                : submission.publishAt().toString())
                .put("site", submission.site())
                .put("slug", submission.slug())
                .put("language", submission.language())
                .put("translation_key", submission.translationKey());
        submission.tags().forEach(sent.putArray("tags")::add);
        return Digests.ofCanonicalJson(sent);
    }
}
