package dev.postonce.ingest.task;

import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.KnownTask.TargetView;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.web.Answers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What is asked of the task tables. */
public final class JdbcTaskReads {

    // One statement, so one snapshot: the key's record, and every task that bears on the submission.
    private static final String KNOWN =
            """
            with key_record as (
              select payload_digest, resource_ref, expires_at from ingest.idempotency_record
              where tenant_id = :tenant_id and client_id = :key_client and key_digest = :key_digest
                and route = :key_route
            ), wanted as (
              select cast(:external_id as text) as external_id
              union
              select resource_ref from key_record
              union
              select external_id from ingest.task
              where tenant_id = :tenant_id and slug = :slug and coalesce(site, '') = coalesce(:site, '')
            )
            select r.payload_digest, r.resource_ref, r.expires_at,
              t.task_id, t.external_id, t.version, t.status, t.group_code, t.target_platforms, t.title, t.html_digest,
              t.cover_url, t.summary, t.tags, t.category, t.canonical_url, t.publish_at, t.site, t.slug, t.language,
              t.translation_key, t.business_ref_id, t.callback_url, t.accepted_at, t.updated_at,
              t.withdrawn_at, t.withdrawn_by, t.withdrawn_reason, t.withdrawn_public, s.base_url, s.url_pattern,
              (select json_agg(json_build_object('platform', g.platform, 'state', g.state,
                  'task_version', g.task_version, 'shown_task_version', g.shown_task_version,
                  'platform_url', g.platform_url, 'observed_at', g.observed_at, 'error_code', g.error_code)
                  order by array_position(t.target_platforms, g.platform), g.platform)
               from ingest.target g where g.tenant_id = t.tenant_id and g.external_id = t.external_id) as targets,
              exists (select from ingest.task_content c where c.tenant_id = t.tenant_id
                and c.external_id = t.external_id and c.submitted_digest = :submitted_digest) as content_known
            from wanted w
            left join ingest.task t on t.tenant_id = :tenant_id and t.external_id = w.external_id
            left join ingest.site s on s.tenant_id = t.tenant_id and s.site = t.site
            left join key_record r on true
            """;

    private static final String ONE =
            """
            select t.task_id, t.external_id, t.version, t.status, t.group_code, t.target_platforms, t.title,
              t.html_digest, t.cover_url, t.summary, t.tags, t.category, t.canonical_url, t.publish_at, t.site, t.slug,
              t.language, t.translation_key, t.business_ref_id, t.callback_url, t.accepted_at, t.updated_at,
              t.withdrawn_at, t.withdrawn_by, t.withdrawn_reason, t.withdrawn_public, t.content_html, t.content_md,
              s.base_url, s.url_pattern,
              (select json_agg(json_build_object('platform', g.platform, 'state', g.state,
                  'task_version', g.task_version, 'shown_task_version', g.shown_task_version,
                  'platform_url', g.platform_url, 'observed_at', g.observed_at, 'error_code', g.error_code)
                  order by array_position(t.target_platforms, g.platform), g.platform)
               from ingest.target g where g.tenant_id = t.tenant_id and g.external_id = t.external_id) as targets,
              false as content_known
            from ingest.task t
            left join ingest.site s on s.tenant_id = t.tenant_id and s.site = t.site
            where t.tenant_id = :tenant_id and t.external_id = :external_id
            """;

    private static final String PAGE =
            """
            select t.task_id, t.external_id, t.version, t.status, t.group_code, t.target_platforms, t.title,
              t.html_digest, t.cover_url, t.summary, t.tags, t.category, t.canonical_url, t.publish_at, t.site, t.slug,
              t.language, t.translation_key, t.business_ref_id, t.callback_url, t.accepted_at, t.updated_at,
              t.withdrawn_at, t.withdrawn_by, t.withdrawn_reason, t.withdrawn_public, s.base_url, s.url_pattern,
              (select json_agg(json_build_object('platform', g.platform, 'state', g.state,
                  'task_version', g.task_version, 'shown_task_version', g.shown_task_version,
                  'platform_url', g.platform_url, 'observed_at', g.observed_at, 'error_code', g.error_code)
                  order by array_position(t.target_platforms, g.platform), g.platform)
               from ingest.target g where g.tenant_id = t.tenant_id and g.external_id = t.external_id) as targets,
              false as content_known
            from ingest.task t
            left join ingest.site s on s.tenant_id = t.tenant_id and s.site = t.site
            where t.tenant_id = :tenant_id
              and (cast(:status as text) is null or t.status = :status)
              and (cast(:site as text) is null or t.site = :site)
              and (cast(:slug as text) is null or t.slug = :slug)
              and (cast(:updated_since as timestamptz) is null or t.updated_at >= :updated_since)
              and (cast(:updated_before as timestamptz) is null or t.updated_at < :updated_before)
              and (cast(:target_state as text) is null or exists (select from ingest.target g
                where g.tenant_id = t.tenant_id and g.external_id = t.external_id and g.state = :target_state))
              and (cast(:after_time as timestamptz) is null
                or (t.updated_at, t.external_id) < (:after_time, cast(:after_id as text)))
            order by t.updated_at desc, t.external_id desc
            limit :limit
            """;

    /** A task with its content. */
    record Whole(KnownTask task, String contentHtml, @Nullable String contentMd) {}

    private final JdbcClient jdbc;

    public JdbcTaskReads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Known known(KeyBinding binding, TaskSubmission submission, Article article) {
        return known(binding, submission.externalId(), submission.site(), submission.slug(), article.submittedDigest());
    }

    /** The task of that id alone, beside what the request's key stands for. */
    Known known(KeyBinding binding, String externalId) {
        return known(binding, externalId, null, null, null);
    }

    private Known known(
            KeyBinding binding,
            String externalId,
            @Nullable String site,
            @Nullable String slug,
            @Nullable String submittedDigest) {
        List<KnownTask> tasks = new ArrayList<>();
        List<KeyRecord> records = new ArrayList<>();
        jdbc.sql(KNOWN)
                .paramSource(binding.bind(new JdbcParameters())
                        .text("external_id", externalId)
                        .text("slug", slug)
                        .text("site", site)
                        .text("submitted_digest", submittedDigest))
                .query(row -> {
                    if (row.getString("payload_digest") != null) {
                        records.add(new KeyRecord(
                                row.getString("payload_digest"),
                                row.getString("resource_ref"),
                                Rows.requiredTime(row, "expires_at")));
                    }
                    if (row.getString("external_id") != null) {
                        tasks.add(taskOf(row, 0));
                    }
                });
        return new Known(records.isEmpty() ? null : records.get(0), List.copyOf(tasks));
    }

    Optional<Whole> one(String tenantId, String externalId) {
        return jdbc.sql(ONE)
                .param("tenant_id", tenantId)
                .param("external_id", externalId)
                .query((row, number) ->
                        new Whole(taskOf(row, number), row.getString("content_html"), row.getString("content_md")))
                .optional();
    }

    List<KnownTask> page(String tenantId, TaskFilter filter, int limit) {
        return jdbc.sql(PAGE)
                .paramSource(filter.bind(new JdbcParameters().text("tenant_id", tenantId))
                        .number("limit", (long) limit))
                .query(JdbcTaskReads::taskOf)
                .list();
    }

    private static KnownTask taskOf(ResultSet row, int number) throws SQLException {
        Shown shown = new Shown(
                row.getString("title"),
                row.getString("html_digest"),
                row.getString("cover_url"),
                row.getString("summary"),
                Rows.texts(row, "tags"),
                row.getString("category"),
                row.getString("canonical_url"),
                Rows.time(row, "publish_at"),
                row.getString("site"),
                row.getString("slug"),
                row.getString("language"),
                row.getString("translation_key"),
                row.getString("business_ref_id"),
                row.getString("callback_url"));
        return new KnownTask(
                row.getObject("task_id", UUID.class),
                row.getString("external_id"),
                row.getLong("version"),
                row.getString("status"),
                row.getString("group_code"),
                Rows.texts(row, "target_platforms"),
                shown,
                SiteUrls.of(
                        row.getString("base_url"),
                        row.getString("url_pattern"),
                        shown.language(),
                        shown.slug(),
                        shown.canonicalUrl()),
                targetsOf(row.getString("targets")),
                row.getBoolean("content_known"),
                Rows.requiredTime(row, "accepted_at"),
                Rows.requiredTime(row, "updated_at"),
                withdrawalOf(row));
    }

    private static @Nullable Withdrawal withdrawalOf(ResultSet row) throws SQLException {
        @Nullable Instant at = Rows.time(row, "withdrawn_at");
        return at == null
                ? null
                : new Withdrawal(
                        at,
                        row.getString("withdrawn_by"),
                        row.getString("withdrawn_reason"),
                        row.getString("withdrawn_public"));
    }

    private static List<TargetView> targetsOf(@Nullable String json) {
        if (json == null) {
            return List.of();
        }
        List<TargetView> targets = new ArrayList<>();
        for (JsonNode target : Answers.mapper().readTree(json)) {
            @Nullable String observedAt = target.path("observed_at").asString(null);
            JsonNode shownVersion = target.path("shown_task_version");
            targets.add(new TargetView(
                    target.path("platform").asString(),
                    target.path("state").asString(),
                    target.path("task_version").asLong(),
                    shownVersion.isNumber() ? shownVersion.asLong() : null,
                    target.path("platform_url").asString(null),
                    observedAt == null ? null : OffsetDateTime.parse(observedAt).toInstant(),
                    target.path("error_code").asString(null)));
        }
        return List.copyOf(targets);
    }
}
