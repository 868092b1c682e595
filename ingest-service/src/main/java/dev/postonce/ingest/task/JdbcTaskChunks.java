package dev.postonce.ingest.task;

import dev.postonce.contract.EventType;
import dev.postonce.contract.RecordKey;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.TextArrays;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.web.IdempotencyKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Several first submissions in one statement and one commit: what {@link JdbcTaskWrites} does for one, for each. */
public final class JdbcTaskChunks {

    private static final String PROMPT_LOCK_WAIT_MS = "200";

    // Two chunks must never wait for each other. Tasks are taken in the order of their ids, and keys, after all tasks,
    // in the order of their digests; slugs cannot have an order of their own inside of that, so whoever brings one
    // takes
    // its turn first, again in order. A line whose task or slug is taken is left out, and what belongs to it; one whose
    // key stands for another resource undoes the whole statement, and its lines are then taken one by one. The wait for
    // others' rows is set first, for this transaction alone; null leaves the connection's.
    private static final String CREATE =
            """
            with given as materialized (
              select * from unnest(cast(:external_ids as text[]), cast(:task_ids as text[]),
                cast(:event_ids as text[]), cast(:business_ref_ids as text[]), cast(:group_codes as text[]),
                cast(:titles as text[]), cast(:contents_html as text[]), cast(:contents_md as text[]),
                cast(:cover_urls as text[]), cast(:summaries as text[]), cast(:tags as text[]),
                cast(:categories as text[]), cast(:platforms as text[]), cast(:callback_urls as text[]),
                cast(:canonical_urls as text[]), cast(:publish_ats as text[]), cast(:sites as text[]),
                cast(:slugs as text[]), cast(:languages as text[]), cast(:translation_keys as text[]),
                cast(:content_digests as text[]), cast(:article_digests as text[]),
                cast(:submitted_digests as text[]), cast(:html_digests as text[]), cast(:medias as text[]),
                cast(:raw_contents as text[]), cast(:record_keys as text[]), cast(:datas as text[]),
                cast(:key_digests as text[]), cast(:key_prefixes as text[]), cast(:payload_digests as text[]),
                cast(:request_ids as text[]), cast(:traceparents as text[])) with ordinality
              as g (external_id, task_id, event_id, business_ref_id, group_code, title, content_html, content_md,
                cover_url, summary, tags, category, platforms, callback_url, canonical_url, publish_at, site, slug,
                language, translation_key, content_digest, article_digest, submitted_digest, html_digest, media,
                raw_content, record_key, data, key_digest, key_prefix, payload_digest, request_id, traceparent, place)
            ), patience as materialized (
              select set_config('lock_timeout', coalesce(cast(:lock_wait_ms as text), current_setting('lock_timeout')),
                true)
            ), turns as materialized (
              select pg_advisory_xact_lock(taken.turn) from (
                select distinct hashtextextended(:tenant_id || '/' || coalesce(site, '') || '/' || slug, 1) as turn
                from given where slug is not null order by turn) taken
              where (select count(*) from patience) > 0
            ), new_task as (
              insert into ingest.task (tenant_id, external_id, task_id, version, status, deleted, business_ref_id,
                group_code, title, content_html, content_md, cover_url, summary, tags, category, target_platforms,
                callback_url, canonical_url, publish_at, site, slug, language, translation_key, content_digest,
                article_digest, submitted_digest, html_digest, sanitizer_policy, accepted_at, updated_at)
              select :tenant_id, external_id, cast(task_id as uuid), 1, 'active', false, business_ref_id, group_code,
                title, content_html, content_md, cover_url, summary, cast(tags as text[]), category,
                cast(platforms as text[]), callback_url, canonical_url, cast(publish_at as timestamptz), site, slug,
                language, translation_key, content_digest, article_digest, submitted_digest, html_digest, :policy,
                cast(:now as timestamptz), cast(:now as timestamptz)
              from given where (select count(*) from patience) > 0 and (select count(*) from turns) >= 0
              order by external_id collate "C", place
              on conflict do nothing
              returning tenant_id, external_id, task_id, site
            ), made as materialized (
              select t.tenant_id, t.task_id as id, g.* from new_task t join given g on cast(g.task_id as uuid) = t.task_id
            ), new_content as (
              insert into ingest.task_content (tenant_id, external_id, submitted_digest, article_digest, task_version,
                media, raw_content, sanitizer_policy, accepted_at)
              select tenant_id, external_id, submitted_digest, article_digest, 1, media, raw_content, :policy,
                cast(:now as timestamptz)
              from made
            ), new_targets as (
              insert into ingest.target (tenant_id, external_id, platform, state, task_version, created_at, updated_at)
              select m.tenant_id, m.external_id, p.platform, 'pending', 1, cast(:now as timestamptz),
                cast(:now as timestamptz)
              from made m cross join unnest(cast(m.platforms as text[])) as p (platform)
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(event_id as uuid), :topic, record_key, :event_type, '/postonce/ingest', external_id, 1,
                cast(:now as timestamptz), traceparent, data
              from made order by place
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :client_id, :route, key_digest, key_prefix, payload_digest, 'completed', 'task',
                external_id, id, 'created', 201, cast(:now as timestamptz), cast(:expires as timestamptz)
              from made where key_digest is not null order by key_digest collate "C"
            ), new_audit as (
              insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
                external_id, resource_version, idempotency_key_prefix, payload_digest)
              select cast(:now as timestamptz), tenant_id, :client_id, :key_id, request_id, :route, 'created', 201,
                external_id, 1, key_prefix, payload_digest
              from made order by place
            )
            select m.id, s.base_url, s.url_pattern,
              (select d.external_id from ingest.task d
               where d.tenant_id = m.tenant_id and d.group_code = m.group_code and d.html_digest = m.html_digest
                 and d.external_id <> m.external_id and d.target_platforms && cast(m.platforms as text[])
               order by d.accepted_at limit 1) as possible_duplicate_of
            from made m left join ingest.site s on s.tenant_id = m.tenant_id and s.site = m.site
            """;

    /** A first submission and its key; all of a chunk have the same caller, route and time. */
    record Line(NewTask task, KeyBinding binding) {}

    private final JdbcClient jdbc;

    public JdbcTaskChunks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What was created, by task id; whatever is missing was there already. */
    Map<UUID, Created> create(List<Line> lines) {
        return create(lines, null);
    }

    /** Of those who did not ask to go together: none of them waits long for a row that another one needs. */
    Map<UUID, Created> createPromptly(List<Line> lines) {
        return create(lines, PROMPT_LOCK_WAIT_MS);
    }

    private Map<UUID, Created> create(List<Line> lines, @Nullable String lockWaitMs) {
        KeyBinding any = lines.get(0).binding();
        JdbcParameters parameters = new JdbcParameters()
                .text("tenant_id", any.caller().tenantId())
                .text("client_id", any.caller().clientId())
                .text("key_id", any.caller().keyId())
                .text("route", any.route())
                .text("policy", ContentCleaner.POLICY)
                .text("lock_wait_ms", lockWaitMs)
                .text("topic", EventType.TASK_STATE.topic())
                .text("event_type", EventType.TASK_STATE.ceType())
                .time("now", any.now())
                .time("expires", any.now().plus(any.remembered()));
        bindSubmissions(parameters, lines.stream().map(Line::task).toList());
        bindContents(parameters, lines.stream().map(Line::task).toList());
        bindKeys(parameters, lines.stream().map(Line::binding).toList());
        Map<UUID, Created> created = new HashMap<>();
        jdbc.sql(CREATE).paramSource(parameters).query(row -> {
            created.put(
                    row.getObject("id", UUID.class),
                    new Created(
                            row.getString("base_url"),
                            row.getString("url_pattern"),
                            row.getString("possible_duplicate_of")));
        });
        return created;
    }

    private static void bindSubmissions(JdbcParameters parameters, List<NewTask> tasks) {
        bind(parameters, "external_ids", tasks, task -> task.submission().externalId());
        bind(parameters, "task_ids", tasks, task -> task.taskId().toString());
        bind(parameters, "event_ids", tasks, task -> task.eventId().toString());
        bind(parameters, "business_ref_ids", tasks, task -> task.submission().businessRefId());
        bind(parameters, "group_codes", tasks, task -> task.submission().groupCode());
        bind(parameters, "titles", tasks, task -> task.submission().title());
        bind(parameters, "cover_urls", tasks, task -> task.submission().coverUrl());
        bind(parameters, "summaries", tasks, task -> task.submission().summary());
        bind(
                parameters,
                "tags",
                tasks,
                task -> TextArrays.literal(task.submission().tags()));
        bind(parameters, "categories", tasks, task -> task.submission().category());
        bind(
                parameters,
                "platforms",
                tasks,
                task -> TextArrays.literal(task.submission().targetPlatforms()));
        bind(parameters, "callback_urls", tasks, task -> task.submission().callbackUrl());
        bind(parameters, "canonical_urls", tasks, task -> task.submission().canonicalUrl());
        bind(
                parameters,
                "publish_ats",
                tasks,
                task -> task.submission().publishAt() == null
                        ? null
                        : task.submission().publishAt().toString());
        bind(parameters, "sites", tasks, task -> task.submission().site());
        bind(parameters, "slugs", tasks, task -> task.submission().slug());
        bind(parameters, "languages", tasks, task -> task.submission().language());
        bind(parameters, "translation_keys", tasks, task -> task.submission().translationKey());
    }

    private static void bindContents(JdbcParameters parameters, List<NewTask> tasks) {
        bind(parameters, "contents_html", tasks, task -> task.article().html());
        bind(parameters, "contents_md", tasks, task -> task.state().contentMd());
        bind(parameters, "content_digests", tasks, task -> task.state().contentDigest());
        bind(parameters, "article_digests", tasks, task -> task.article().articleDigest());
        bind(parameters, "submitted_digests", tasks, task -> task.article().submittedDigest());
        bind(parameters, "html_digests", tasks, task -> task.article().htmlDigest());
        bind(parameters, "medias", tasks, task -> task.submission().media().stored());
        bind(parameters, "raw_contents", tasks, task -> task.submission().source());
        bind(parameters, "record_keys", tasks, task -> RecordKey.ofTask(
                        task.state().tenantId(), task.state().externalId())
                .toString());
        bind(parameters, "datas", tasks, NewTask::data);
    }

    private static void bindKeys(JdbcParameters parameters, List<KeyBinding> bindings) {
        bind(parameters, "key_digests", bindings, binding -> ifAny(binding, IdempotencyKey::digest));
        bind(parameters, "key_prefixes", bindings, binding -> ifAny(binding, IdempotencyKey::prefix));
        bind(parameters, "payload_digests", bindings, binding -> binding.exchange()
                .payloadDigest());
        bind(parameters, "request_ids", bindings, binding -> binding.exchange().requestId());
        bind(parameters, "traceparents", bindings, binding -> binding.exchange().traceparent());
    }

    private static @Nullable String ifAny(KeyBinding binding, Function<IdempotencyKey, String> part) {
        @Nullable IdempotencyKey key = binding.exchange().idempotencyKey();
        return key == null ? null : part.apply(key);
    }

    private static <T> void bind(
            JdbcParameters parameters, String name, List<T> rows, Function<T, @Nullable String> column) {
        parameters.column(name, rows.stream().map(column::apply).toArray(String[]::new));
    }
}
