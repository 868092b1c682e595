package dev.postonce.ingest.task;

import dev.postonce.contract.Platform;
import dev.postonce.ingest.task.TaskSubmission.Media;
import dev.postonce.ingest.web.Fields;
import dev.postonce.runtime.http.OutgoingPolicy;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a submission or an update; says everything that is wrong with it at once. */
public final class SubmissionReader {

    private static final Set<String> FIELDS = Set.of(
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

    private static final String DEFAULT_GROUP_CODE = "default";
    private static final int TITLE_CHARACTERS_MAX = 300;
    private static final int SUMMARY_CHARACTERS_MAX = 2_000;
    private static final int NAME_CHARACTERS_MAX = 200;
    private static final int TAGS_MAX = 50;
    private static final int TAG_CHARACTERS_MAX = 100;
    private static final int PLATFORMS_MAX = 50;
    private static final int SLUG_BYTES_MAX = 185;

    private static final Pattern GROUP_CODE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern SITE = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");
    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}");
    private static final Pattern SLUG = Pattern.compile("[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}._~-]*");

    private final OutgoingPolicy policy;
    private final int contentCharactersMax;

    public SubmissionReader(OutgoingPolicy policy, int contentCharactersMax) {
        this.policy = policy;
        this.contentCharactersMax = contentCharactersMax;
    }

    /** The body of {@code POST /v1/tasks}. */
    public TaskSubmission read(ObjectNode json) {
        return read(new Fields(json, FIELDS), null);
    }

    /**
     * The body of an update: the whole article anew. It may leave out what an update does not change, the external id
     * and the group code, and the platforms, of which it takes none away.
     */
    TaskUpdate readUpdate(ObjectNode json, String externalId, long version) {
        Fields fields = new Fields(json, FIELDS);
        return new TaskUpdate(read(fields, externalId), fields.has("group_code"), version);
    }

    /** @param known the task's id where the body need not tell it */
    private TaskSubmission read(Fields fields, @Nullable String known) {
        @Nullable String externalId = fields.matching("external_id", ExternalIds.FORM, "1 to 64 of A-Z a-z 0-9 _ -");
        if (known != null && externalId != null && !externalId.equals(known)) {
            fields.wrong("external_id", "is not the one in the path; a task keeps its id");
        }
        @Nullable String businessRefId = fields.line("business_ref_id", NAME_CHARACTERS_MAX);
        @Nullable String groupCode = fields.matching("group_code", GROUP_CODE, "1 to 64 of A-Z a-z 0-9 _ . -");
        fields.require("title");
        @Nullable String title = fields.line("title", TITLE_CHARACTERS_MAX);
        Media media = mediaOf(fields);
        @Nullable String source = fields.lines(media.field(), contentCharactersMax);
        @Nullable String language = fields.matching("language", LANGUAGE, "a language tag such as zh, en or zh-Hans");
        @Nullable String slug = slugOf(fields);
        @Nullable String translationKey = fields.line("translation_key", NAME_CHARACTERS_MAX);
        TaskSubmission submission = new TaskSubmission(
                known != null ? known : externalIdOf(externalId, businessRefId, language, slug, translationKey, source),
                businessRefId,
                groupCode == null ? DEFAULT_GROUP_CODE : groupCode,
                orEmpty(title),
                media,
                orEmpty(source),
                fields.url("cover_url", policy),
                fields.lines("summary", SUMMARY_CHARACTERS_MAX),
                fields.list("tags", TAGS_MAX, TAG_CHARACTERS_MAX),
                fields.line("category", NAME_CHARACTERS_MAX),
                platformsOf(fields, known == null),
                fields.url("callback_url", policy),
                fields.url("canonical_url", policy),
                fields.time("publish_at"),
                fields.matching("site", SITE, "1 to 63 of a-z 0-9 . -, beginning with a letter or digit"),
                slug,
                language,
                translationKey);
        fields.refuseIfWrong();
        return submission;
    }

    private static String externalIdOf(
            @Nullable String given,
            @Nullable String businessRefId,
            @Nullable String language,
            @Nullable String slug,
            @Nullable String translationKey,
            @Nullable String source) {
        if (given != null) {
            return given;
        }
        return businessRefId != null
                ? ExternalIds.ofBusinessReference(businessRefId)
                : ExternalIds.ofArticle(language, slug, translationKey, orEmpty(source));
    }

    private static Media mediaOf(Fields fields) {
        boolean html = fields.has(Media.HTML.field());
        boolean markdown = fields.has(Media.MARKDOWN.field());
        if (html && markdown) {
            fields.wrong(Media.MARKDOWN.field(), "stands beside content_html; send one of the two");
        } else if (!html && !markdown) {
            fields.wrong(Media.HTML.field(), "is required, or content_md");
        }
        return markdown && !html ? Media.MARKDOWN : Media.HTML;
    }

    /** In NFC, so that equal-looking slugs are equal. */
    private static @Nullable String slugOf(Fields fields) {
        @Nullable String given = fields.line("slug", SLUG_BYTES_MAX);
        if (given == null) {
            return null;
        }
        Optional<String> slug = slug(given);
        if (slug.isEmpty()) {
            fields.wrong("slug", "must be letters, digits and . _ ~ -, at most " + SLUG_BYTES_MAX + " bytes of UTF-8");
        }
        return slug.orElse(null);
    }

    /** As it is stored; empty for what is none. */
    static Optional<String> slug(String given) {
        String slug = Normalizer.normalize(given, Normalizer.Form.NFC);
        boolean fits = SLUG.matcher(slug).matches() && slug.getBytes(StandardCharsets.UTF_8).length <= SLUG_BYTES_MAX;
        return fits ? Optional.of(slug) : Optional.empty();
    }

    private static List<String> platformsOf(Fields fields, boolean required) {
        if (required) {
            fields.require("target_platforms");
        }
        List<String> platforms = fields.list("target_platforms", PLATFORMS_MAX, TAG_CHARACTERS_MAX);
        if (platforms.stream().anyMatch(name -> Platform.of(name).isEmpty())) {
            fields.wrong(
                    "target_platforms",
                    "may hold "
                            + Arrays.stream(Platform.values())
                                    .map(Platform::wireName)
                                    .collect(Collectors.joining(", ")));
        } else if (platforms.isEmpty() && fields.has("target_platforms")) {
            fields.wrong("target_platforms", "must name at least one platform");
        }
        return platforms;
    }

    private static String orEmpty(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }
}
