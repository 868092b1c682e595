package dev.postonce.ingest.task;

import dev.postonce.ingest.web.Answers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What an audit row tells beside its columns: names of fields and platforms, and of a withdrawal its reason. */
final class AuditDetail {

    private AuditDetail() {}

    /** Null for an empty list. */
    static @Nullable String of(String name, List<String> values) {
        if (values.isEmpty()) {
            return null;
        }
        ObjectNode detail = Answers.mapper().createObjectNode();
        values.forEach(detail.putArray(name)::add);
        return Answers.mapper().writeValueAsString(detail);
    }

    /** What a replacement changed. */
    static String ofUpdate(List<String> changed, List<String> added) {
        ObjectNode detail = Answers.mapper().createObjectNode();
        changed.forEach(detail.putArray("changed")::add);
        if (!added.isEmpty()) {
            added.forEach(detail.putArray("added_platforms")::add);
        }
        return Answers.mapper().writeValueAsString(detail);
    }

    static String ofStatus(TaskStates.Status status, @Nullable String reason) {
        ObjectNode detail = Answers.mapper().createObjectNode().put("status", status.name());
        if (status.posts() != null) {
            detail.put("public", status.posts());
        }
        if (reason != null) {
            detail.put("reason", reason);
        }
        return Answers.mapper().writeValueAsString(detail);
    }
}
