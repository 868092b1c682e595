package dev.postonce.ingest.group;

import dev.postonce.contract.GroupState;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Reply;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The one body for success and replay. */
final class GroupView {

    private GroupView() {}

    static Reply reply(Exchange exchange, GroupAcceptance acceptance) {
        KnownGroup group = acceptance.group();
        ObjectNode body = Answers.begin(exchange);
        put(body, group);
        body.put("idempotent_replay", acceptance.replay());
        List<String> differs = acceptance.contentDiffers();
        boolean removed = group.state().deleted();
        ObjectNode links = body.putObject("links").put("self", self(group));
        if (!differs.isEmpty()) {
            differs.forEach(body.putArray("content_differs")::add);
            links.put("update", self(group));
            body.put(
                    "next",
                    removed
                            ? "The entry is removed and stays so. POST to links.restore brings it back, as it was."
                            : "The stored entry stays as it is. To change it, send it whole by PUT to links.update with"
                                    + " If-Match.");
        }
        if (removed) {
            links.put("restore", self(group) + "/restore");
        }
        return new Reply(
                acceptance.created() ? 201 : 200,
                body,
                group.state().version(),
                acceptance.created() ? self(group) : null);
    }

    static void put(ObjectNode body, KnownGroup group) {
        GroupState state = group.state();
        body.put("id", state.id())
                .put("group_id", state.groupId())
                .put("normalized_group_id", state.normalizedGroupId())
                .put("operation", state.operation())
                .put("status", state.deleted() ? "removed" : "active")
                .put("version", state.version())
                .put("name", state.name())
                .put("description", state.description())
                .put("category", state.category())
                .put("language", state.language())
                .put("submitter_id", state.submitterId())
                .put("accepted_at", group.acceptedAt().toString())
                .put("updated_at", group.updatedAt().toString());
        state.tags().forEach(body.putArray("tags")::add);
    }

    private static String self(KnownGroup group) {
        return "/v1/groups/" + group.state().id();
    }
}
