package dev.postonce.ingest.check;

import dev.postonce.ingest.check.SiteLinks.Link;
import dev.postonce.ingest.check.Surroundings.Relative;
import dev.postonce.ingest.task.ExternalIdLint;
import dev.postonce.ingest.task.TaskSubmission;
import dev.postonce.ingest.task.TaskSubmission.Media;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

/** What is looked for in a well-formed article. Plain rules: what is stored around it is given to them. */
final class ArticleRules {

    private static final int TITLE_CHARACTERS_MIN = 4;
    private static final int TITLE_CHARACTERS_MAX = 60;
    private static final int SUMMARY_CHARACTERS_MIN = 10;
    private static final int SUMMARY_CHARACTERS_MAX = 200;
    private static final int TAGS_MAX = 10;
    private static final int TAG_CHARACTERS_MAX = 20;
    private static final int BODY_CHARACTERS_MIN = 200;
    private static final int SLUG_CHARACTERS_MAX = 80;
    private static final int LINK_FINDINGS_MAX = 20;

    private static final Pattern SLUG = Pattern.compile("(?!\\d+$)[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");
    private static final Pattern FENCE = Pattern.compile("(?m)^ {0,3}(`{3,}|~{3,})");
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{\\{[^}]{1,80}\\}\\}|(?i:lorem ipsum)|(?<![A-Z])TBD(?![A-Z])|待补充");

    private final TaskSubmission article;
    private final String html;
    private final Surroundings around;
    private final List<Finding> findings = new ArrayList<>();

    private ArticleRules(TaskSubmission article, String html, Surroundings around) {
        this.article = article;
        this.html = html;
        this.around = around;
    }

    /** @param html cleaned, as a platform would be sent it */
    static List<Finding> judge(TaskSubmission article, boolean idGiven, String html, Surroundings around) {
        ArticleRules rules = new ArticleRules(article, html, around);
        rules.title();
        rules.summary();
        rules.classification();
        rules.slug();
        rules.translation();
        rules.body();
        rules.links();
        rules.externalId(idGiven);
        return List.copyOf(rules.findings);
    }

    private void add(Finding finding) {
        findings.add(finding);
    }

    private void title() {
        int length = length(article.title());
        if (length < TITLE_CHARACTERS_MIN) {
            add(FindingKind.TITLE_SHORT.at("/title", length));
        } else if (length > TITLE_CHARACTERS_MAX) {
            add(FindingKind.TITLE_LONG.at("/title", length));
        }
    }

    private void summary() {
        @Nullable String summary = article.summary();
        if (summary == null) {
            add(FindingKind.SUMMARY_MISSING.at("/summary"));
            return;
        }
        int length = length(summary);
        if (summary.strip().equals(article.title().strip())) {
            add(FindingKind.SUMMARY_IS_TITLE.at("/summary"));
        } else if (length < SUMMARY_CHARACTERS_MIN) {
            add(FindingKind.SUMMARY_SHORT.at("/summary", length));
        } else if (length > SUMMARY_CHARACTERS_MAX) {
            add(FindingKind.SUMMARY_LONG.at("/summary", length));
        }
    }

    private void classification() {
        if (article.category() == null) {
            add(FindingKind.CATEGORY_MISSING.at("/category"));
        }
        if (article.tags().isEmpty()) {
            add(FindingKind.TAGS_MISSING.at("/tags"));
        } else if (article.tags().size() > TAGS_MAX) {
            add(FindingKind.TAGS_MANY.at("/tags", article.tags().size()));
        }
        for (int i = 0; i < article.tags().size(); i++) {
            int length = length(article.tags().get(i));
            if (length > TAG_CHARACTERS_MAX) {
                add(FindingKind.TAG_LONG.at("/tags/" + i, length));
            }
        }
    }

    private void slug() {
        if (article.site() != null && around.site() == null) {
            add(FindingKind.SITE_UNKNOWN.at("/site"));
        }
        @Nullable String slug = article.slug();
        if (slug == null) {
            if (article.site() != null) {
                add(FindingKind.SLUG_MISSING.at("/slug"));
            }
            return;
        }
        if (!SLUG.matcher(slug).matches() || slug.length() > SLUG_CHARACTERS_MAX) {
            add(FindingKind.SLUG_FORM.at("/slug"));
        }
        around.others(article.externalId()).stream()
                .filter(other -> slug.equals(other.slug()))
                .findFirst()
                .ifPresent(other ->
                        add((isTranslation(other) ? FindingKind.SLUG_SHARED_BY_TRANSLATION : FindingKind.SLUG_TAKEN)
                                .at("/slug", other.externalId())));
    }

    private boolean isTranslation(Relative other) {
        return article.translationKey() != null
                && article.translationKey().equals(other.translationKey())
                && !Objects.equals(article.language(), other.language());
    }

    private void translation() {
        if (article.site() == null) {
            return;
        }
        if (article.language() == null) {
            add(FindingKind.LANGUAGE_MISSING.at("/language"));
        }
        if (article.translationKey() == null) {
            add(FindingKind.TRANSLATION_KEY_MISSING.at("/translation_key"));
            return;
        }
        around.others(article.externalId()).stream()
                .filter(other -> article.translationKey().equals(other.translationKey())
                        && Objects.equals(article.language(), other.language())
                        && !Objects.equals(article.slug(), other.slug())
                        && other.status().equals("active"))
                .findFirst()
                .ifPresent(other -> add(FindingKind.TRANSLATION_DOUBLED.at("/translation_key", other.externalId())));
    }

    private void body() {
        String pointer = "/" + article.media().field();
        String text = HtmlUtils.htmlUnescape(TAG.matcher(html).replaceAll(""));
        long visible = text.codePoints()
                .filter(point -> !Character.isWhitespace(point))
                .count();
        if (visible < BODY_CHARACTERS_MIN) {
            add(FindingKind.BODY_SHORT.at(pointer, visible));
        }
        if (article.media() == Media.MARKDOWN && hasOpenFence(article.source())) {
            add(FindingKind.BODY_UNFINISHED.at(pointer));
        }
        Matcher placeholder = PLACEHOLDER.matcher(text);
        if (placeholder.find()) {
            add(FindingKind.BODY_PLACEHOLDER.at(pointer, placeholder.group()));
        }
    }

    /** A fence is closed by one of the same character that is at least as long. */
    private static boolean hasOpenFence(String markdown) {
        @Nullable String open = null;
        Matcher fence = FENCE.matcher(markdown);
        while (fence.find()) {
            String marks = fence.group(1);
            if (open == null) {
                open = marks;
            } else if (marks.charAt(0) == open.charAt(0) && marks.length() >= open.length()) {
                open = null;
            }
        }
        return open != null;
    }

    private void links() {
        String pointer = "/" + article.media().field();
        Set<Finding> found = new LinkedHashSet<>();
        boolean intoTheSite = false;
        for (Link link : SiteLinks.of(html, around.site())) {
            intoTheSite |= link.own();
            if (link.relative()) {
                found.add(FindingKind.LINK_RELATIVE.at(pointer, link.text()));
            } else if (SiteLinks.isPrivate(link.host())) {
                found.add(FindingKind.LINK_PRIVATE.at(pointer, link.text()));
            }
            if (link.slug() != null
                    && !link.slug().equals(article.slug())
                    && !around.publicSlugs().contains(link.slug())) {
                found.add(FindingKind.LINK_DEAD.at(pointer, link.text()));
            }
        }
        found.stream().limit(LINK_FINDINGS_MAX).forEach(this::add);
        if (around.site() != null && !intoTheSite) {
            add(FindingKind.LINKS_MISSING.at(pointer));
        }
    }

    private void externalId(boolean given) {
        around.itself(article.externalId())
                .filter(task -> !task.status().equals("active"))
                .ifPresent(task -> add(FindingKind.WITHDRAWN.at("/external_id", task.status())));
        if (!given) {
            if (article.businessRefId() == null) {
                add(FindingKind.EXTERNAL_ID_DERIVED.at("/external_id"));
            }
            return;
        }
        for (ExternalIdLint.Finding finding : ExternalIdLint.of(article.externalId())) {
            add(FindingKind.valueOf(finding.name())
                    .at("/external_id", "the id " + finding.message(), "external_id " + finding.messageZh()));
        }
    }

    private static int length(String text) {
        String stripped = text.strip();
        return stripped.codePointCount(0, stripped.length());
    }
}
