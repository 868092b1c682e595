package dev.postonce.dispatch.webhook;

import dev.postonce.contract.TaskState;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.target.Desired;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The body: the same bytes for the same task version, whenever it is made. */
final class WebhookBody {

    private WebhookBody() {}

    static byte[] of(Effect effect) {
        TaskState task = effect.task();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put(
                "type",
                switch (effect.action()) {
                    case CREATE -> "article.published";
                    case UPDATE -> "article.updated";
                    case WITHDRAW -> "article.withdrawn";
                });
        // When the version was accepted; a time of sending would make each try another message.
        root.put("timestamp", effect.occurredAt().toString());
        ObjectNode data = root.putObject("data");
        data.put("external_id", task.externalId());
        data.put("marker", effect.marker());
        data.put("task_version", task.version());
        put(data, "business_ref_id", task.businessRefId());
        data.put("group_code", task.groupCode());
        data.put("status", Desired.of(task).status());
        data.put("title", task.title());
        data.put("content_html", task.contentHtml());
        put(data, "summary", task.summary());
        ArrayNode tags = data.putArray("tags");
        task.tags().forEach(tags::add);
        put(data, "category", task.category());
        put(data, "cover_url", task.coverUrl());
        put(data, "canonical_url", task.canonicalUrl());
        put(data, "site", task.site());
        put(data, "slug", task.slug());
        put(data, "language", task.language());
        put(data, "translation_key", task.translationKey());
        return JsonMapper.shared().writeValueAsString(root).getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ObjectNode data, String name, @Nullable String value) {
        if (value != null) {
            data.put(name, value);
        }
    }
}
