package dev.postonce.ingest.task;

import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The statements that bring a task to its next version. Each is whole: the task, its targets, the event, the key's
 * record and the audit row, or none of them, and none where the task has another version by then.
 */
public final class JdbcTaskChanges {

    private static final String SOURCE = "/postonce/ingest";

    private static final String REPLACE =
            """
            with changed as (
              update ingest.task set version = :version, business_ref_id = :business_ref_id, title = :title,
                content_html = :content_html, content_md = :content_md, cover_url = :cover_url, summary = :summary,
                tags = :tags, category = :category, target_platforms = :target_platforms,
                callback_url = :callback_url, canonical_url = :canonical_url, publish_at = :publish_at, site = :site,
                slug = :slug, language = :language, translation_key = :translation_key,
                content_digest = :content_digest, article_digest = :article_digest,
                submitted_digest = :submitted_digest, html_digest = :html_digest, sanitizer_policy = :policy,
                updated_at = :key_now
              where tenant_id = :tenant_id and external_id = :external_id and version = :version - 1
                and status = 'active'
              returning tenant_id, external_id, task_id, site
            ), new_content as (
              insert into ingest.task_content (tenant_id, external_id, submitted_digest, article_digest, task_version,
                media, raw_content, sanitizer_policy, accepted_at)
              select tenant_id, external_id, :submitted_digest, :article_digest, :version, :media, :raw_content,
                :policy, cast(:key_now as timestamptz)
              from changed
              on conflict (tenant_id, external_id, submitted_digest) do nothing
            ), moved_targets as (
              update ingest.target g set task_version = :version, updated_at = :key_now
              from changed c where g.tenant_id = c.tenant_id and g.external_id = c.external_id
            ), new_targets as (
              insert into ingest.target (tenant_id, external_id, platform, state, task_version, created_at, updated_at)
              select c.tenant_id, c.external_id, p.platform, 'pending', :version, cast(:key_now as timestamptz),
                cast(:key_now as timestamptz)
              from changed c cross join unnest(cast(:new_platforms as text[])) as p (platform)
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(:event_id as uuid), :topic, :record_key, :event_type, :source, external_id, :version,
                cast(:key_now as timestamptz), :traceparent, :data
              from changed
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'task',
                external_id, task_id, :key_outcome, cast(:key_status as int), cast(:key_now as timestamptz),
                cast(:key_expires as timestamptz)
              from changed where cast(:key_digest as text) is not null
            ), new_audit as (
              insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
                error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
              select cast(:audit_at as timestamptz), tenant_id, :audit_client, :audit_key_id, :audit_request,
                :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, external_id, :audit_group,
                :version, :audit_key_prefix, :audit_payload, :audit_detail
              from changed
            )
            select s.base_url, s.url_pattern
            from changed c left join ingest.site s on s.tenant_id = c.tenant_id and s.site = c.site
            """;

    private static final String SET_STATUS =
            """
            with changed as (
              update ingest.task set version = :version, status = :status, deleted = :deleted,
                withdrawn_at = :withdrawn_at, withdrawn_by = :withdrawn_by, withdrawn_reason = :withdrawn_reason,
                withdrawn_public = :withdrawn_public, content_digest = :content_digest, updated_at = :key_now
              where tenant_id = :tenant_id and external_id = :external_id and version = :version - 1
              returning tenant_id, external_id, task_id
            ), moved_targets as (
              update ingest.target g set task_version = :version, updated_at = :key_now
              from changed c where g.tenant_id = c.tenant_id and g.external_id = c.external_id
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(:event_id as uuid), :topic, :record_key, :event_type, :source, external_id, :version,
                cast(:key_now as timestamptz), :traceparent, :data
              from changed
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'task',
                external_id, task_id, :key_outcome, cast(:key_status as int), cast(:key_now as timestamptz),
                cast(:key_expires as timestamptz)
              from changed where cast(:key_digest as text) is not null
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), tenant_id, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, external_id, :audit_group,
              :version, :audit_key_prefix, :audit_payload, :audit_detail
            from changed
            """;

    /** Where the task's site shows its articles. */
    record Site(@Nullable String baseUrl, @Nullable String urlPattern) {}

    /** A task's next version, complete before anything is asked of the database. */
    record Replacement(
            UUID eventId,
            TaskState next,
            String data,
            TaskSubmission submission,
            Article article,
            List<String> newPlatforms) {}

    private final JdbcClient jdbc;

    public JdbcTaskChanges(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Puts another article in the present one's place; empty where the task is not as it was read. */
    Optional<Site> replace(Replacement change, KeyBinding binding, AuditRow audit) {
        TaskSubmission submission = change.submission();
        Article article = change.article();
        JdbcParameters parameters = audit.bind(binding.bind(new JdbcParameters()))
                .text("business_ref_id", submission.businessRefId())
                .text("title", submission.title())
                .text("content_html", article.html())
                .text("content_md", change.next().contentMd())
                .text("cover_url", submission.coverUrl())
                .text("summary", submission.summary())
                .texts("tags", submission.tags())
                .text("category", submission.category())
                .texts("target_platforms", change.next().targetPlatforms())
                .texts("new_platforms", change.newPlatforms())
                .text("callback_url", submission.callbackUrl())
                .text("canonical_url", submission.canonicalUrl())
                .time("publish_at", submission.publishAt())
                .text("site", submission.site())
                .text("slug", submission.slug())
                .text("language", submission.language())
                .text("translation_key", submission.translationKey())
                .text("article_digest", article.articleDigest())
                .text("submitted_digest", article.submittedDigest())
                .text("html_digest", article.htmlDigest())
                .text("media", submission.media().stored())
                .text("raw_content", submission.source())
                .text("policy", ContentCleaner.POLICY);
        bindEvent(parameters, change.next(), change.eventId(), change.data(), binding);
        return jdbc.sql(REPLACE)
                .paramSource(parameters)
                .query((row, number) -> new Site(row.getString("base_url"), row.getString("url_pattern")))
                .optional();
    }

    /**
     * Takes a locked task back, or revives it.
     *
     * @param withdrawal null revives it
     */
    void setStatus(TaskState next, @Nullable Withdrawal withdrawal, UUID eventId, KeyBinding binding, AuditRow audit) {
        JdbcParameters parameters = audit.bind(binding.bind(new JdbcParameters()))
                .text("status", next.status())
                .flag("deleted", next.deleted())
                .time("withdrawn_at", withdrawal == null ? null : withdrawal.at())
                .text("withdrawn_by", withdrawal == null ? null : withdrawal.by())
                .text("withdrawn_reason", withdrawal == null ? null : withdrawal.reason())
                .text("withdrawn_public", withdrawal == null ? null : withdrawal.posts());
        bindEvent(parameters, next, eventId, TaskStates.encode(next), binding);
        int rows = jdbc.sql(SET_STATUS).paramSource(parameters).update();
        if (rows != 1) {
            throw new IllegalStateException("a locked task moved: " + next.externalId());
        }
    }

    /** What every version of a task is stored and told with. */
    static void bindEvent(JdbcParameters parameters, TaskState next, UUID eventId, String data, KeyBinding binding) {
        parameters
                .text("external_id", next.externalId())
                .number("version", next.version())
                .text("content_digest", next.contentDigest())
                .uuid("event_id", eventId)
                .text("topic", EventType.TASK_STATE.topic())
                .text(
                        "record_key",
                        RecordKey.ofTask(next.tenantId(), next.externalId()).toString())
                .text("event_type", EventType.TASK_STATE.ceType())
                .text("source", SOURCE)
                .text("traceparent", binding.exchange().traceparent())
                .text("data", data);
    }
}
