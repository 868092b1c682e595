package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The statements that change tasks. Each takes the task first and the Idempotency-Key after it, so that no two can
 * wait for each other.
 */
public final class JdbcTaskWrites {

    // Everything that a first submission leaves, in one statement: it is there whole, or nothing of it is. Where the
    // task or its slug is taken, new_task is empty and so is all the rest; where the key stands for another resource,
    // the constraint of its table undoes the whole statement.
    private static final String CREATE =
            """
            with new_task as (
              insert into ingest.task (tenant_id, external_id, task_id, version, status, deleted, business_ref_id,
                group_code, title, content_html, content_md, cover_url, summary, tags, category, target_platforms,
                callback_url, canonical_url, publish_at, site, slug, language, translation_key, content_digest,
                article_digest, submitted_digest, html_digest, sanitizer_policy, accepted_at, updated_at)
              values (:tenant_id, :external_id, :task_id, 1, 'active', false, :business_ref_id,
                :group_code, :title, :content_html, :content_md, :cover_url, :summary, :tags, :category,
                :target_platforms, :callback_url, :canonical_url, :publish_at, :site, :slug, :language,
                :translation_key, :content_digest, :article_digest, :submitted_digest, :html_digest, :policy,
                :key_now, :key_now)
              on conflict do nothing
              returning tenant_id, external_id, task_id, site
            ), new_content as (
              insert into ingest.task_content (tenant_id, external_id, submitted_digest, article_digest, task_version,
                media, raw_content, sanitizer_policy, accepted_at)
              select tenant_id, external_id, :submitted_digest, :article_digest, 1, :media, :raw_content, :policy,
                cast(:key_now as timestamptz)
              from new_task
            ), new_targets as (
              insert into ingest.target (tenant_id, external_id, platform, state, task_version, created_at, updated_at)
              select t.tenant_id, t.external_id, p.platform, 'pending', 1, cast(:key_now as timestamptz),
                cast(:key_now as timestamptz)
              from new_task t cross join unnest(cast(:target_platforms as text[])) as p (platform)
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(:event_id as uuid), :topic, :record_key, :event_type, :source, external_id, 1,
                cast(:key_now as timestamptz), :traceparent, :data
              from new_task
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'task',
                external_id, task_id, :key_outcome, cast(:key_status as int), cast(:key_now as timestamptz),
                cast(:key_expires as timestamptz)
              from new_task where cast(:key_digest as text) is not null
            ), new_audit as (
              insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
                error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
              select cast(:audit_at as timestamptz), tenant_id, :audit_client, :audit_key_id, :audit_request,
                :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, external_id, :audit_group, 1,
                :audit_key_prefix, :audit_payload, :audit_detail
              from new_task
            )
            select s.base_url, s.url_pattern,
              (select d.external_id from ingest.task d
               where d.tenant_id = t.tenant_id and d.group_code = :group_code and d.html_digest = :html_digest
                 and d.external_id <> t.external_id and d.target_platforms && cast(:target_platforms as text[])
               order by d.accepted_at limit 1) as possible_duplicate_of
            from new_task t left join ingest.site s on s.tenant_id = t.tenant_id and s.site = t.site
            """;

    // A known task was asked for again: the audit row, and the key's first use, or neither.
    private static final String RECORD_REPLAY =
            """
            with bound as (
              insert into ingest.idempotency_record as r (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select :tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'task',
                :external_id, cast(:task_id as uuid), :key_outcome, cast(:key_status as int),
                cast(:key_now as timestamptz), cast(:key_expires as timestamptz)
              where :bind
              on conflict (tenant_id, client_id, key_digest, route) do nothing
              returning 1
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), :audit_tenant, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, :external_id, :audit_group,
              cast(:audit_version as bigint), :audit_key_prefix, :audit_payload, :audit_detail
            where not :bind or exists (select from bound)
            """;

    private static final String LOCK =
            """
            select tenant_id, task_id, external_id, version, status, deleted, withdrawn_public, business_ref_id,
              group_code, title, content_html, content_md, cover_url, summary, tags, category, target_platforms, canonical_url,
              publish_at, site, slug, language, translation_key, article_digest, content_digest
            from ingest.task where tenant_id = :tenant_id and external_id = :external_id
            for update
            """;

    private static final String EXTEND =
            """
            with changed as (
              update ingest.task set version = :version, target_platforms = :target_platforms,
                content_digest = :content_digest, updated_at = :key_now
              where tenant_id = :tenant_id and external_id = :external_id and version = :version - 1
              returning tenant_id, external_id, task_id
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
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), :audit_tenant, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, :external_id, :audit_group,
              cast(:audit_version as bigint), :audit_key_prefix, :audit_payload, :audit_detail
            from changed
            """;

    private static final String LOCK_CONTENT =
            """
            select pg_advisory_xact_lock(hashtextextended(:tenant_id || '/' || :group_code || '/' || :html_digest, 0))
            """;

    private static final String SAME_CONTENT =
            """
            select external_id from ingest.task
            where tenant_id = :tenant_id and group_code = :group_code and html_digest = :html_digest
              and external_id <> :external_id and target_platforms && cast(:target_platforms as text[])
            order by accepted_at limit 1
            """;

    /** What a first submission learns beside its success. */
    record Created(@Nullable String baseUrl, @Nullable String urlPattern, @Nullable String possibleDuplicateOf) {}

    private final JdbcClient jdbc;

    public JdbcTaskWrites(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Empty where the task or its slug is taken. */
    Optional<Created> create(NewTask task, KeyBinding binding, AuditRow audit) {
        TaskSubmission submission = task.submission();
        JdbcParameters parameters = audit.bind(binding.bind(new JdbcParameters()))
                .uuid("task_id", task.taskId())
                .text("business_ref_id", submission.businessRefId())
                .text("group_code", submission.groupCode())
                .text("title", submission.title())
                .text("content_html", task.article().html())
                .text("content_md", task.state().contentMd())
                .text("cover_url", submission.coverUrl())
                .text("summary", submission.summary())
                .texts("tags", submission.tags())
                .text("category", submission.category())
                .text("callback_url", submission.callbackUrl())
                .text("canonical_url", submission.canonicalUrl())
                .time("publish_at", submission.publishAt())
                .text("site", submission.site())
                .text("slug", submission.slug())
                .text("language", submission.language())
                .text("translation_key", submission.translationKey())
                .text("article_digest", task.article().articleDigest())
                .text("submitted_digest", task.article().submittedDigest())
                .text("html_digest", task.article().htmlDigest())
                .text("media", submission.media().stored())
                .text("raw_content", submission.source())
                .text("policy", ContentCleaner.POLICY);
        bindState(parameters, task.state(), task.eventId(), task.data(), binding);
        return jdbc.sql(CREATE)
                .paramSource(parameters)
                .query((row, number) -> new Created(
                        row.getString("base_url"),
                        row.getString("url_pattern"),
                        row.getString("possible_duplicate_of")))
                .optional();
    }

    /**
     * The task that brought the same content to the same account under another external id. Until the transaction ends
     * nobody else gets an answer for this content, so of two at once the second one finds the first.
     */
    Optional<String> sameContent(NewTask task) {
        TaskSubmission submission = task.submission();
        JdbcParameters parameters = new JdbcParameters()
                .text("tenant_id", task.state().tenantId())
                .text("group_code", submission.groupCode())
                .text("html_digest", task.article().htmlDigest())
                .text("external_id", submission.externalId())
                .texts("target_platforms", submission.targetPlatforms());
        jdbc.sql(LOCK_CONTENT)
                .paramSource(parameters)
                .query((row, number) -> Boolean.TRUE)
                .single();
        return jdbc.sql(SAME_CONTENT)
                .paramSource(parameters)
                .query(String.class)
                .optional();
    }

    /**
     * @param bind whether the request's key is to stand for the task from now on
     * @return false where the key was taken meanwhile, and nothing was written
     */
    boolean recordReplay(KnownTask task, boolean bind, KeyBinding binding, AuditRow audit) {
        return jdbc.sql(RECORD_REPLAY)
                        .paramSource(audit.bind(binding.bind(new JdbcParameters()))
                                .text("external_id", task.externalId())
                                .uuid("task_id", task.taskId())
                                .flag("bind", bind))
                        .update()
                == 1;
    }

    /** The task's whole present state, locked until the transaction ends. */
    Optional<TaskState> lock(String tenantId, String externalId) {
        return jdbc.sql(LOCK)
                .param("tenant_id", tenantId)
                .param("external_id", externalId)
                .query(JdbcTaskWrites::stateOf)
                .optional();
    }

    /** Stores a locked task's next version, which has more platforms. */
    void extend(TaskState next, List<String> newPlatforms, UUID eventId, KeyBinding binding, AuditRow audit) {
        JdbcParameters parameters =
                audit.bind(binding.bind(new JdbcParameters())).texts("new_platforms", newPlatforms);
        bindState(parameters, next, eventId, TaskStates.encode(next), binding);
        int rows = jdbc.sql(EXTEND).paramSource(parameters).update();
        if (rows != 1) {
            throw new IllegalStateException("a locked task moved: " + next.externalId());
        }
    }

    private static void bindState(
            JdbcParameters parameters, TaskState state, UUID eventId, String data, KeyBinding binding) {
        parameters.texts("target_platforms", state.targetPlatforms());
        JdbcTaskChanges.bindEvent(parameters, state, eventId, data, binding);
    }

    private static TaskState stateOf(ResultSet row, int number) throws SQLException {
        return new TaskState(
                row.getString("tenant_id"),
                row.getString("task_id"),
                row.getString("external_id"),
                row.getLong("version"),
                row.getString("status"),
                row.getBoolean("deleted"),
                row.getString("withdrawn_public"),
                row.getString("business_ref_id"),
                row.getString("group_code"),
                row.getString("title"),
                row.getString("content_html"),
                row.getString("content_md"),
                row.getString("cover_url"),
                row.getString("summary"),
                Rows.texts(row, "tags"),
                row.getString("category"),
                Rows.texts(row, "target_platforms"),
                row.getString("canonical_url"),
                Rows.time(row, "publish_at"),
                row.getString("site"),
                row.getString("slug"),
                row.getString("language"),
                row.getString("translation_key"),
                row.getString("article_digest"),
                row.getString("content_digest"));
    }
}
