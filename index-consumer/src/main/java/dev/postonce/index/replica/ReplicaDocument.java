package dev.postonce.index.replica;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.GroupState;
import dev.postonce.contract.TaskState;
import dev.postonce.index.entry.EntryRow;
import dev.postonce.index.event.IndexEvent;
import dev.postonce.index.event.IndexKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the replica keeps of one key.
 *
 * @param content null for a tombstone
 */
public record ReplicaDocument(
        IndexKind kind,
        String tenantId,
        String recordKey,
        long version,
        String contentDigest,
        @Nullable Content content) {

    /**
     * The searchable part.
     *
     * @param id external id, or normalised group id
     * @param operation of a group
     * @param names identifiers in all their spellings
     */
    public record Content(
            String id,
            @Nullable String operation,
            String title,
            String summary,
            String body,
            List<String> tags,
            String category,
            @Nullable String language,
            List<String> names) {}

    /** Unique over kinds; begins with kind and tenant, so that a tenant's documents lie side by side. */
    public String key() {
        return kind.wireName() + "/" + recordKey;
    }

    public static ReplicaDocument of(IndexEvent.OfEntry event) {
        return of(EntryRow.of(event));
    }

    /** @throws dev.postonce.contract.UndecodableEventException if the row was not written by the entry writer */
    public static ReplicaDocument of(EntryRow row) {
        return new ReplicaDocument(
                row.kind(),
                row.tenantId(),
                row.recordKey(),
                row.version(),
                row.contentDigest(),
                row.document() == null ? null : content(row.kind(), row.document()));
    }

    private static Content content(IndexKind kind, String document) {
        return switch (kind) {
            case TASK -> ofTask(EventJson.read(document, TaskState.class));
            case GROUP -> ofGroup(EventJson.read(document, GroupState.class));
        };
    }

    private static Content ofTask(TaskState task) {
        return new Content(
                task.externalId(),
                null,
                task.title(),
                orEmpty(task.summary()),
                PlainText.ofHtml(task.contentHtml()),
                task.tags(),
                orEmpty(task.category()),
                task.language(),
                names(task.externalId(), task.slug(), task.businessRefId()));
    }

    private static Content ofGroup(GroupState group) {
        return new Content(
                group.normalizedGroupId(),
                group.operation(),
                group.name() == null ? group.groupId() : group.name(),
                orEmpty(group.description()),
                "",
                group.tags(),
                orEmpty(group.category()),
                group.language(),
                names(group.normalizedGroupId(), group.groupId(), null));
    }

    private static List<String> names(String first, @Nullable String second, @Nullable String third) {
        List<String> names = new ArrayList<>(List.of(first));
        if (second != null) {
            names.add(second);
        }
        if (third != null) {
            names.add(third);
        }
        return List.copyOf(names);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
