package dev.postonce.ingest.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether an external id is one that a retry will find again. A task is known by its id alone, so an id that is
 * made anew with each try is a second post. Findings advise; nothing is refused for them here.
 */
public final class ExternalIdLint {

    /** What is unwise about an id. */
    public enum Finding {
        RANDOM_UUID(
                "holds a random identifier: a retry that makes a new one is a second post. Build the id from what the"
                        + " article is, such as campaign_98231_v1",
                "包含随机标识：重试时若重新生成就会重复发布。请用业务含义构造，例如 campaign_98231_v1"),
        CLOCK_PART(
                "holds a point in time to the second or finer: a retry that asks the clock again is a second post",
                "包含精确到秒的时间：重试时重新取时间就会重复发布"),
        NO_VERSION_PART(
                "has no version part such as _v1: publishing the same thing anew on purpose will need another id",
                "缺少版本部分（例如 _v1）：以后需要有意重新发布时，必须换一个 external_id"),
        NO_BUSINESS_PART(
                "does not say what it is about: begin it with the system or the campaign that it comes from",
                "缺少业务部分：请以来源系统或活动名开头");

        private final String message;
        private final String messageZh;

        Finding(String message, String messageZh) {
            this.message = message;
            this.messageZh = messageZh;
        }

        /** Such as {@code random_uuid}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Continues a sentence that begins with the field's name. */
        public String message() {
            return message;
        }

        public String messageZh() {
            return messageZh;
        }
    }

    private static final Pattern UUID = Pattern.compile(
            "(?<![0-9A-Fa-f])[0-9a-fA-F]{8}[-_]?[0-9a-fA-F]{4}[-_]?([1-8])[0-9a-fA-F]{3}[-_]?[89abAB][0-9a-fA-F]{3}"
                    + "[-_]?[0-9a-fA-F]{12}(?![0-9A-Fa-f])");
    // Versions 3 and 5 are digests of a name: the same name gives the same id.
    private static final Set<String> NAME_BASED_VERSIONS = Set.of("3", "5");
    private static final Pattern ULID = Pattern.compile("(?<![0-9A-Za-z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])");

    private static final Pattern PARTS = Pattern.compile("[-_]+");
    private static final Pattern VERSION =
            Pattern.compile("(?:v|ver|version|r|rev|revision)[0-9]{1,6}", Pattern.CASE_INSENSITIVE);
    // Seconds or milliseconds since 1970, or yyyyMMddHHmmss: this century in all three.
    private static final Pattern CLOCK = Pattern.compile(
            "1[6-9][0-9]{8}|1[6-9][0-9]{11}|20[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9][0-2][0-9][0-5][0-9][0-5][0-9]");
    private static final Pattern LETTERS = Pattern.compile("[A-Za-z].*[A-Za-z]");
    private static final Set<String> SAYING_NOTHING = Set.of(
            "id",
            "no",
            "nr",
            "num",
            "key",
            "ext",
            "external",
            "task",
            "post",
            "item",
            "doc",
            "article",
            "content",
            "uuid",
            "guid",
            "test",
            "tmp",
            "temp",
            "new",
            "final");

    private ExternalIdLint() {}

    /** What is unwise about an id that an upstream chose; empty for a good one, and for one that Postonce derives. */
    public static List<Finding> of(String externalId) {
        if (ExternalIds.isDerived(externalId)) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        String rest = withoutRandomParts(externalId);
        if (!rest.equals(externalId)) {
            findings.add(Finding.RANDOM_UUID);
        }
        List<String> parts =
                PARTS.splitAsStream(rest).filter(part -> !part.isEmpty()).toList();
        if (parts.stream().anyMatch(part -> CLOCK.matcher(part).matches())) {
            findings.add(Finding.CLOCK_PART);
        }
        if (parts.stream().noneMatch(part -> VERSION.matcher(part).matches())) {
            findings.add(Finding.NO_VERSION_PART);
        }
        if (parts.stream().noneMatch(ExternalIdLint::saysSomething)) {
            findings.add(Finding.NO_BUSINESS_PART);
        }
        return List.copyOf(findings);
    }

    private static String withoutRandomParts(String id) {
        String withoutUuids = UUID.matcher(id)
                .replaceAll(found ->
                        Matcher.quoteReplacement(NAME_BASED_VERSIONS.contains(found.group(1)) ? found.group() : ""));
        return ULID.matcher(withoutUuids).replaceAll("");
    }

    private static boolean saysSomething(String part) {
        return LETTERS.matcher(part).find()
                && !VERSION.matcher(part).matches()
                && !SAYING_NOTHING.contains(part.toLowerCase(Locale.ROOT))
                && !isHex(part);
    }

    /** A digest or a part of one; words of hex digits alone are too short to be taken for it. */
    private static boolean isHex(String part) {
        return part.length() >= 8
                && part.chars().anyMatch(character -> character >= '0' && character <= '9')
                && part.chars().allMatch(character -> Character.digit(character, 16) >= 0);
    }
}
