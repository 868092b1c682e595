package dev.postonce.ingest.task;

import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.KnownTask.TargetView;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Reply;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The one body for success and replay; reading adds to it, and changes nothing of it. */
final class TaskView {

    private TaskView() {}

    static Reply reply(Exchange exchange, Acceptance acceptance) {
        return new Reply(
                acceptance.created() ? 201 : 200,
                of(exchange, acceptance),
                acceptance.task().version(),
                acceptance.created() ? self(acceptance.task()) : null);
    }

    private static ObjectNode of(Exchange exchange, Acceptance acceptance) {
        KnownTask task = acceptance.task();
        ObjectNode body = Answers.begin(exchange);
        put(body, task, acceptance.replay());
        putIfAny(body, "added_platforms", acceptance.addedPlatforms());
        putIfAny(body, "content_differs", acceptance.contentDiffers());
        putIfAny(body, "not_added_platforms", acceptance.notAdded());
        if (acceptance.possibleDuplicateOf() != null) {
            body.put("possible_duplicate_of", acceptance.possibleDuplicateOf());
        }
        ObjectNode links = links(body, task);
        if (task.isWithdrawn() && acceptance.replay()) {
            body.put("next", "The task is withdrawn and stays so. POST to links.restore revives it.");
        } else if (!acceptance.contentDiffers().isEmpty()) {
            links.put("update", self(task));
            body.put(
                    "next",
                    "The stored content stays as it is. To change it, send the whole article by PUT to links.update"
                            + " with If-Match.");
        }
        return body;
    }

    static ObjectNode whole(Exchange exchange, JdbcTaskReads.Whole whole) {
        ObjectNode body = Answers.begin(exchange);
        put(body, whole.task(), false);
        body.remove("idempotent_replay");
        putDetails(body, whole.task());
        body.put("content_html", whole.contentHtml()).put("content_md", whole.contentMd());
        links(body, whole.task());
        return body;
    }

    static void putListed(ObjectNode entry, KnownTask task) {
        put(entry, task, false);
        entry.remove("idempotent_replay");
        putDetails(entry, task);
    }

    private static void put(ObjectNode body, KnownTask task, boolean replay) {
        body.put("id", task.taskId().toString())
                .put("external_id", task.externalId())
                .put("slug", task.shown().slug())
                .put("language", task.shown().language())
                .put("url", task.url())
                .put("status", task.status())
                .put("version", task.version())
                .put("idempotent_replay", replay);
        putWithdrawal(body, task);
        ArrayNode targets = body.putArray("targets");
        task.targets().forEach(target -> putTarget(targets.addObject(), target));
    }

    private static void putWithdrawal(ObjectNode body, KnownTask task) {
        @Nullable Withdrawal withdrawal = task.withdrawal();
        if (withdrawal != null) {
            body.putObject("withdrawal")
                    .put("at", withdrawal.at().toString())
                    .put("by", withdrawal.by())
                    .put("reason", withdrawal.reason())
                    .put("public", withdrawal.posts());
        }
    }

    private static void putTarget(ObjectNode entry, TargetView target) {
        entry.put("platform", target.platform())
                .put("state", target.state())
                .put("task_version", target.taskVersion())
                .put("shown_task_version", target.shownTaskVersion())
                .put("platform_url", target.platformUrl())
                .put("observed_at", text(target.observedAt()))
                .put("error_code", target.errorCode());
    }

    private static void putDetails(ObjectNode body, KnownTask task) {
        Shown shown = task.shown();
        body.put("title", shown.title())
                .put("group_code", task.groupCode())
                .put("business_ref_id", shown.businessRefId())
                .put("site", shown.site())
                .put("translation_key", shown.translationKey())
                .put("summary", shown.summary())
                .put("category", shown.category())
                .put("cover_url", shown.coverUrl())
                .put("canonical_url", shown.canonicalUrl())
                .put("callback_url", shown.callbackUrl())
                .put("publish_at", text(shown.publishAt()))
                .put("accepted_at", task.acceptedAt().toString())
                .put("updated_at", task.updatedAt().toString());
        shown.tags().forEach(body.putArray("tags")::add);
        task.targetPlatforms().forEach(body.putArray("target_platforms")::add);
    }

    private static ObjectNode links(ObjectNode body, KnownTask task) {
        ObjectNode links = body.putObject("links").put("self", self(task)).put("audit", self(task) + "/audit");
        if (task.isWithdrawn()) {
            links.put("restore", self(task) + "/restore");
        }
        return links;
    }

    static String self(KnownTask task) {
        return "/v1/tasks/" + task.externalId();
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private static void putIfAny(ObjectNode body, String name, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(body.putArray(name)::add);
        }
    }
}
