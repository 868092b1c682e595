package dev.postonce.standalone.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes submissions of lines: tells tasks from groups, fills in what the command line gives for all, and finds what the
 * API would not know before anything is sent.
 *
 * @param kind null: a line with {@code group_id} is a group, any other a task
 */
public record LineForm(
        Submission.@Nullable Kind kind,
        List<String> platforms,
        @Nullable String groupCode,
        @Nullable String callbackUrl) {

    private static final Set<String> TASK_FIELDS = Set.of(
            "external_id",
            "business_ref_id",
            "group_code",
            "title",
            "content_html",
            "content_md",
            "cover_url",
            "summary",
            "tags",
            "category",
            "target_platforms",
            "callback_url",
            "canonical_url",
            "publish_at",
            "site",
            "slug",
            "language",
            "translation_key");
    private static final Set<String> GROUP_FIELDS =
            Set.of("group_id", "operation", "name", "description", "tags", "category", "language", "submitter_id");
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public LineForm {
        platforms = List.copyOf(platforms);
    }

    /** As the lines stand. */
    public static LineForm plain() {
        return new LineForm(null, List.of(), null, null);
    }

    /** What became of a line. */
    public sealed interface Outcome {

        record Ready(Submission submission) implements Outcome {}

        /** Not sent. */
        record Faulty(long line, String reason) implements Outcome {}
    }

    public Outcome read(LineSource.Line line) {
        if (line.tooLong()) {
            return faulty(line, "is longer than " + LineSource.LINE_CHARACTERS_MAX + " characters");
        }
        JsonNode json;
        try {
            json = MAPPER.readTree(line.text());
        } catch (JacksonException e) {
            return faulty(line, "is not JSON: " + e.getOriginalMessage());
        }
        if (!(json instanceof ObjectNode object)) {
            return faulty(line, "is not a JSON object");
        }
        Submission.Kind found =
                kind != null ? kind : object.has("group_id") ? Submission.Kind.GROUP : Submission.Kind.TASK;
        List<String> unknown = unknown(object, found == Submission.Kind.GROUP ? GROUP_FIELDS : TASK_FIELDS);
        if (!unknown.isEmpty()) {
            return faulty(line, "has fields that the API does not know: " + String.join(", ", unknown));
        }
        if (found == Submission.Kind.TASK) {
            fill(object);
        }
        boolean named =
                found == Submission.Kind.GROUP || object.path("external_id").isString();
        return new Outcome.Ready(new Submission(line.number(), found, object.toString(), named));
    }

    /** A task with what the command line gives for all; what is no JSON object stays as it is, for the service to tell. */
    public String filled(String task) {
        try {
            if (MAPPER.readTree(task) instanceof ObjectNode object) {
                fill(object);
                return object.toString();
            }
        } catch (JacksonException e) {
            return task;
        }
        return task;
    }

    private void fill(ObjectNode task) {
        if (!platforms.isEmpty() && !task.has("target_platforms")) {
            platforms.forEach(task.putArray("target_platforms")::add);
        }
        if (groupCode != null && !task.has("group_code")) {
            task.put("group_code", groupCode);
        }
        if (callbackUrl != null && !task.has("callback_url")) {
            task.put("callback_url", callbackUrl);
        }
    }

    private static List<String> unknown(ObjectNode object, Set<String> known) {
        List<String> unknown = new ArrayList<>();
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                unknown.add(name);
            }
        }
        return unknown;
    }

    private static Outcome faulty(LineSource.Line line, String reason) {
        return new Outcome.Faulty(line.number(), reason);
    }
}
