package dev.postonce.sandbox.wordpress;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The publisher's marks in a content; the sandbox looks for them only so that doubles are easy to count.
 *
 * @param all every mark that stands anywhere in the texts
 * @param marker the one in the last comment; null if there is no such comment
 */
record Markers(Set<String> all, @Nullable String marker, long taskVersion) {

    private static final Pattern MARK = Pattern.compile("po1-[0-9a-f]{32}");
    private static final Pattern COMMENT = Pattern.compile("<!--\\s*postonce:(po1-[0-9a-f]{32}) v([0-9]{1,18})\\s*-->");
    private static final int MARKS_MAX = 100;

    static Markers in(PostTexts texts) {
        Set<String> all = new LinkedHashSet<>();
        for (String text : new String[] {texts.title(), texts.excerpt(), texts.content()}) {
            Matcher mark = MARK.matcher(text);
            while (mark.find() && all.size() < MARKS_MAX) {
                all.add(mark.group());
            }
        }
        String marker = null;
        long taskVersion = 0;
        Matcher comment = COMMENT.matcher(texts.content());
        while (comment.find()) {
            marker = comment.group(1);
            taskVersion = Long.parseLong(comment.group(2));
        }
        return new Markers(all, marker, taskVersion);
    }
}
