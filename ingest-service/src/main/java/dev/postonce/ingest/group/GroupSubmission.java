package dev.postonce.ingest.group;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventJson;
import dev.postonce.ingest.group.GroupReading.Named;
import dev.postonce.ingest.group.GroupReading.Unreadable;
import dev.postonce.ingest.web.Fields;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A well-formed submission of a group.
 *
 * @param groupId as it was written
 * @param key see {@link GroupReading.Named}
 */
public record GroupSubmission(
        String operation,
        String groupId,
        String key,
        @Nullable String name,
        @Nullable String description,
        List<String> tags,
        @Nullable String category,
        @Nullable String language,
        @Nullable String submitterId) {

    public static final String DEFAULT_OPERATION = "submit_index";
    static final Pattern OPERATION = Pattern.compile("[a-z][a-z0-9_]{0,31}");
    static final int GROUP_ID_CHARACTERS_MAX = 500;

    private static final Set<String> FIELDS =
            Set.of("group_id", "operation", "name", "description", "tags", "category", "language", "submitter_id");
    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}");
    private static final int NAME_CHARACTERS_MAX = 200;
    private static final int DESCRIPTION_CHARACTERS_MAX = 4_000;
    private static final int TAGS_MAX = 50;
    private static final int TAG_CHARACTERS_MAX = 100;

    static GroupSubmission of(ObjectNode json) {
        Fields fields = new Fields(json, FIELDS);
        fields.require("group_id");
        GroupSubmission submission = read(fields, DEFAULT_OPERATION, "");
        fields.refuseIfWrong();
        return submission;
    }

    /** What an entry is to hold from now on; the name may be repeated, in any spelling, and must be the entry's. */
    static GroupSubmission ofUpdate(ObjectNode json, GroupRef ref) {
        Fields fields = new Fields(json, FIELDS);
        GroupSubmission submission = read(fields, ref.operation(), ref.key());
        if (!submission.key.equals(ref.key())) {
            fields.wrong("group_id", "names another group than the path");
        }
        if (!submission.operation.equals(ref.operation())) {
            fields.wrong("operation", "is another one than the entry's");
        }
        fields.refuseIfWrong();
        return submission;
    }

    private static GroupSubmission read(Fields fields, String operationElse, String keyElse) {
        @Nullable String groupId = fields.line("group_id", GROUP_ID_CHARACTERS_MAX);
        String key = keyElse;
        if (groupId != null) {
            GroupReading reading = GroupIds.read(groupId);
            if (reading instanceof Named named) {
                key = named.key();
            } else if (reading instanceof Unreadable unreadable) {
                fields.wrong("group_id", "cannot be normalised: " + unreadable.reason());
            }
        }
        @Nullable
        String operation = fields.matching("operation", OPERATION, "1 to 32 of a-z 0-9 _, beginning with a letter");
        return new GroupSubmission(
                operation == null ? operationElse : operation,
                groupId == null ? "" : groupId,
                key,
                fields.line("name", NAME_CHARACTERS_MAX),
                fields.lines("description", DESCRIPTION_CHARACTERS_MAX),
                fields.list("tags", TAGS_MAX, TAG_CHARACTERS_MAX),
                fields.line("category", NAME_CHARACTERS_MAX),
                fields.matching("language", LANGUAGE, "a language tag such as zh, en or zh-Hans"),
                fields.line("submitter_id", NAME_CHARACTERS_MAX));
    }

    GroupRef ref() {
        return new GroupRef(operation, key);
    }

    /** Over what would be shown; spelling and submitter do not matter. */
    String digest() {
        ObjectNode shown = EventJson.mapper()
                .createObjectNode()
                .put("name", name)
                .put("description", description)
                .put("category", category)
                .put("language", language);
        tags.forEach(shown.putArray("tags")::add);
        return Digests.ofCanonicalJson(shown);
    }
}
