package dev.postonce.ingest.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of a resource, as {@code ETag} and {@code If-Match} carry it. */
public final class EntityTag {

    public static final String IF_MATCH = "If-Match";

    // Proxies that compress make a tag weak; the number in it is exact all the same.
    private static final Pattern FORM = Pattern.compile("(?:W/)?\"([1-9][0-9]{0,17})\"|([1-9][0-9]{0,17})");

    private EntityTag() {}

    /** The version that a change is meant for; one without it is refused. */
    public static long required(@Nullable String ifMatch) {
        @Nullable Long version = ifAny(ifMatch);
        if (version == null) {
            throw Refusal.of(
                    ErrorCode.PRECONDITION_REQUIRED,
                    "an update names the version that it changes, as If-Match: \"<version>\"");
        }
        return version;
    }

    /** Null without the header. A list, or {@code *}, names no one version and is refused. */
    public static @Nullable Long ifAny(@Nullable String ifMatch) {
        if (ifMatch == null) {
            return null;
        }
        Matcher form = FORM.matcher(ifMatch.strip());
        if (!form.matches()) {
            throw Refusal.badPayload("header:" + IF_MATCH, "must be one version, such as \"3\"");
        }
        return Long.valueOf(form.group(1) == null ? form.group(2) : form.group(1));
    }
}
