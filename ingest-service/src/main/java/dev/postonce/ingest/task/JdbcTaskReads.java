package dev.postonce.ingest.task;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.KnownTask.TargetView;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Outcome;
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

/** What is asked of the task tables, and the one row that an exact repetition leaves. */
public final class JdbcTaskReads {

    // One statement, so one snapshot: the key's record, and every task that bears on the submission. Where the key
    // stands for just this submission, and nothing differs that would have to be named, its audit row is all that is
    // left to write, and is written at once if that is asked for.
    private static final String KNOWN =
            """
            with key_record as (
              select payload_digest, resource_ref, expires_at from ingest.idempotency_record
              where tenant_id = :tenant_id and client_id = :key_client and key_digest = :key_digest
                and route = :key_route
            ), told as (
              insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
                error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
              select cast(:audit_at as timestamptz), t.tenant_id, :audit_client, :audit_key_id, :audit_request,
                :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, t.external_id, :audit_group,
                t.version, :audit_key_prefix, :audit_payload, :audit_detail
              from key_record r join ingest.task t on t.tenant_id = :tenant_id and t.external_id = r.resource_ref
              where :tell and r.resource_ref = :external_id and r.payload_digest = :key_payload
                and r.expires_at > :key_now
                and t.business_ref_id is not distinct from :business_ref_id
                and t.callback_url is not distinct from :callback_url
                and exists (select from ingest.task_content c where c.tenant_id = t.tenant_id
                  and c.external_id = t.external_id and c.submitted_digest = :submitted_digest)
              returning 1
            ), wanted as (
              select cast(:external_id as text) as external_id
              union
              select resource_ref from key_record
              union
              select external_id from ingest.task
              where tenant_id = :tenant_id and slug = :slug and coalesce(site, '') = coalesce(:site, '')
            )
            select exists (select from told) as told, r.payload_digest, r.resource_ref, r.expires_at,
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

    /** @param told whether the audit row of the repetition is written */
    record Asked(Known known, boolean told) {}

    Known known(KeyBinding binding, TaskSubmission submission, Article article) {
        return ask(ofSubmission(binding, submission, article.submittedDigest()).flag("tell", false))
                .known();
    }

    /** The same for what is likely a repetition under its key; then its audit row is written too. */
    Asked again(KeyBinding binding, TaskSubmission submission, String submittedDigest) {
        return ask(ofSubmission(binding, submission, submittedDigest).flag("tell", true));
    }

    /** The task of that id alone, beside what the request's key stands for. */
    Known known(KeyBinding binding, String externalId) {
        return ask(bind(binding)
                        .text("external_id", externalId)
                        .text("slug", null)
                        .text("site", null)
                        .text("business_ref_id", null)
                        .text("callback_url", null)
                        .text("submitted_digest", null)
                        .flag("tell", false))
                .known();
    }

    private static JdbcParameters ofSubmission(KeyBinding binding, TaskSubmission submission, String submittedDigest) {
        return bind(binding)
                .text("external_id", submission.externalId())
                .text("slug", submission.slug())
                .text("site", submission.site())
                .text("business_ref_id", submission.businessRefId())
                .text("callback_url", submission.callbackUrl())
                .text("submitted_digest", submittedDigest);
    }

    private static JdbcParameters bind(KeyBinding binding) {
        AuditRow row = new AuditRow(binding.exchange(), binding.now(), Outcome.REPLAY, 200, null, null, null);
        return row.bind(binding.bind(new JdbcParameters()));
    }

    private Asked ask(JdbcParameters parameters) {
        List<KnownTask> tasks = new ArrayList<>();
        List<KeyRecord> records = new ArrayList<>();
        boolean[] told = new boolean[1];
        jdbc.sql(KNOWN).paramSource(parameters).query(row -> {
            told[0] = row.getBoolean("told");
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
        return new Asked(new Known(records.isEmpty() ? null : records.get(0), List.copyOf(tasks)), told[0]);
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
