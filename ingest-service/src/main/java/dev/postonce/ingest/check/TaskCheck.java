package dev.postonce.ingest.check;

import dev.postonce.ingest.check.SiteLinks.Link;
import dev.postonce.ingest.check.Surroundings.Site;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.task.Article;
import dev.postonce.ingest.task.SubmissionReader;
import dev.postonce.ingest.task.TaskSubmission;
import dev.postonce.ingest.tenant.TenantPolicies;
import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.FieldError;
import dev.postonce.ingest.web.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads an article as the intake would, and looks at it as an editor would. Stores nothing. */
public final class TaskCheck {

    private static final String STATUS = "status";
    private static final Set<String> PUBLIC = Set.of("active", "published", "publish");
    private static final Set<String> NOT_PUBLIC = Set.of("draft", "archived");

    /**
     * @param externalId null where the article is malformed
     * @param findings without those that the policy switches off
     */
    public record Result(@Nullable String externalId, List<Weighed> findings) {

        /** @param level by the tenant's policy */
        public record Weighed(Finding finding, CheckLevel level) {}

        public long count(CheckLevel level) {
            return findings.stream().filter(weighed -> weighed.level() == level).count();
        }
    }

    private final SubmissionReader reader;
    private final ContentCleaner cleaner;
    private final JdbcCheckReads reads;
    private final TenantPolicies policies;

    TaskCheck(SubmissionReader reader, ContentCleaner cleaner, JdbcCheckReads reads, TenantPolicies policies) {
        this.reader = reader;
        this.cleaner = cleaner;
        this.reads = reads;
        this.policies = policies;
    }

    public Result check(String tenantId, ObjectNode json) {
        List<Finding> findings = new ArrayList<>(statusOf(json));
        @Nullable String externalId = null;
        try {
            ObjectNode submission = json.deepCopy();
            submission.remove(STATUS);
            TaskSubmission article = reader.read(submission);
            externalId = article.externalId();
            String html = Article.of(article, cleaner).html();
            boolean idGiven = json.path("external_id").isString()
                    && !json.path("external_id").stringValue().isEmpty();
            findings.addAll(ArticleRules.judge(article, idGiven, html, around(tenantId, article, html)));
        } catch (Refusal refusal) {
            if (refusal.code() != ErrorCode.BAD_PAYLOAD) {
                throw refusal;
            }
            for (FieldError error : refusal.errors()) {
                findings.add(FindingKind.MALFORMED.at(error.pointer(), error.detail()));
            }
        }
        TenantPolicy policy = policies.of(tenantId);
        return new Result(
                externalId,
                findings.stream()
                        .map(finding ->
                                new Result.Weighed(finding, finding.kind().levelBy(policy)))
                        .filter(weighed -> weighed.level() != CheckLevel.OFF)
                        .toList());
    }

    /** Exporters write it; a submission has none, since to submit is to publish. */
    private static List<Finding> statusOf(ObjectNode json) {
        @Nullable JsonNode status = json.get(STATUS);
        if (status == null || status.isNull()) {
            return List.of();
        }
        String value = status.asString("").toLowerCase(Locale.ROOT);
        if (PUBLIC.contains(value)) {
            return List.of();
        }
        return NOT_PUBLIC.contains(value)
                ? List.of(FindingKind.STATUS_NOT_PUBLIC.at("/status", value))
                : List.of(FindingKind.STATUS_UNKNOWN.at("/status"));
    }

    private Surroundings around(String tenantId, TaskSubmission article, String html) {
        @Nullable Site site = reads.site(tenantId, article.site()).orElse(null);
        Set<String> linked = SiteLinks.of(html, site).stream()
                .map(Link::slug)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        String siteName = Objects.requireNonNullElse(article.site(), "");
        return new Surroundings(
                site, reads.relatives(tenantId, article), reads.publicSlugs(tenantId, siteName, linked));
    }
}
