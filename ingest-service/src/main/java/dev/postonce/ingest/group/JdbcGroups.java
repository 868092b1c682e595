package dev.postonce.ingest.group;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.GroupState;
import dev.postonce.contract.RecordKey;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.group.GroupRules.Known;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Group entries. As for tasks: the entry first, the Idempotency-Key after it. */
public final class JdbcGroups {

    private static final String CREATE =
            """
            with new_group as (
              insert into ingest.group_entry (tenant_id, operation, normalized_group_id, id, version, deleted, group_id,
                name, description, tags, category, language, submitter_id, content_digest, submitted_digest,
                accepted_at, updated_at)
              values (:tenant_id, :operation, :group_key, :id, 1, false, :group_id, :name, :description, :tags,
                :category, :language, :submitter_id, :content_digest, :submitted_digest, :key_now, :key_now)
              on conflict do nothing
              returning tenant_id, id
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(:event_id as uuid), :topic, :record_key, :event_type, '/postonce/ingest', :group_ref, 1,
                cast(:key_now as timestamptz), :traceparent, :data
              from new_group
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'group',
                :group_ref, id, :key_outcome, cast(:key_status as int), cast(:key_now as timestamptz),
                cast(:key_expires as timestamptz)
              from new_group where cast(:key_digest as text) is not null
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), tenant_id, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, :audit_external_id, :group_ref,
              1, :audit_key_prefix, :audit_payload, :audit_detail
            from new_group
            """;

    // The version decides whether the entry is still the one that was judged.
    private static final String CHANGE =
            """
            with changed as (
              update ingest.group_entry set version = :version, deleted = :deleted, name = :name,
                description = :description, tags = :tags, category = :category, language = :language,
                submitter_id = :submitter_id, content_digest = :content_digest, updated_at = :key_now
              where tenant_id = :tenant_id and operation = :operation and normalized_group_id = :group_key
                and version = :version - 1
              returning tenant_id, id
            ), new_event as (
              insert into ingest.outbox_event (event_id, topic, record_key, event_type, source, subject,
                aggregate_version, occurred_at, traceparent, data)
              select cast(:event_id as uuid), :topic, :record_key, :event_type, '/postonce/ingest', :group_ref, :version,
                cast(:key_now as timestamptz), :traceparent, :data
              from changed
            ), new_record as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'group',
                :group_ref, id, :key_outcome, cast(:key_status as int), cast(:key_now as timestamptz),
                cast(:key_expires as timestamptz)
              from changed where cast(:key_digest as text) is not null
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), tenant_id, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, :audit_external_id, :group_ref,
              cast(:audit_version as bigint), :audit_key_prefix, :audit_payload, :audit_detail
            from changed
            """;

    private static final String KNOWN =
            """
            with key_record as (
              select payload_digest, resource_ref, expires_at from ingest.idempotency_record
              where tenant_id = :tenant_id and client_id = :key_client and key_digest = :key_digest
                and route = :key_route
            ), wanted as (
              select cast(:group_ref as text) as ref
              union
              select resource_ref from key_record
            )
            select r.payload_digest, r.resource_ref, r.expires_at,
              g.tenant_id, g.operation, g.normalized_group_id, g.id, g.version, g.deleted, g.group_id, g.name,
              g.description, g.tags, g.category, g.language, g.submitter_id, g.content_digest, g.accepted_at,
              g.updated_at
            from wanted w
            left join ingest.group_entry g on g.tenant_id = :tenant_id
              and g.operation = split_part(w.ref, '/', 1)
              and g.normalized_group_id = substr(w.ref, strpos(w.ref, '/') + 1)
            left join key_record r on true
            """;

    private static final String RECORD_REPLAY =
            """
            with bound as (
              insert into ingest.idempotency_record (tenant_id, client_id, route, key_digest, key_prefix,
                payload_digest, state, resource_kind, resource_ref, resource_id, outcome, status_code, created_at,
                expires_at)
              select :tenant_id, :key_client, :key_route, :key_digest, :key_prefix, :key_payload, 'completed', 'group',
                :group_ref, cast(:id as uuid), :key_outcome, cast(:key_status as int),
                cast(:key_now as timestamptz), cast(:key_expires as timestamptz)
              where :bind
              on conflict (tenant_id, client_id, key_digest, route) do nothing
              returning 1
            )
            insert into ingest.audit (at, tenant_id, client_id, key_id, request_id, route, outcome, status_code,
              error_code, external_id, group_ref, resource_version, idempotency_key_prefix, payload_digest, detail)
            select cast(:audit_at as timestamptz), :audit_tenant, :audit_client, :audit_key_id, :audit_request,
              :audit_route, :audit_outcome, cast(:audit_status as int), :audit_error, :audit_external_id, :group_ref,
              cast(:audit_version as bigint), :audit_key_prefix, :audit_payload, :audit_detail
            where not :bind or exists (select from bound)
            """;

    private static final String BY_NAME =
            """
            select tenant_id, operation, normalized_group_id, id, version, deleted, group_id, name, description, tags,
              category, language, submitter_id, content_digest, accepted_at, updated_at
            from ingest.group_entry
            where tenant_id = :tenant_id and operation = :operation and normalized_group_id = :group_key
            """;

    private static final String BY_ID =
            """
            select tenant_id, operation, normalized_group_id, id, version, deleted, group_id, name, description, tags,
              category, language, submitter_id, content_digest, accepted_at, updated_at
            from ingest.group_entry where id = :id and tenant_id = :tenant_id
            """;

    private final JdbcClient jdbc;

    public JdbcGroups(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** False where the entry is there already. */
    boolean create(GroupState state, String submittedDigest, UUID eventId, KeyBinding binding, AuditRow audit) {
        JdbcParameters parameters = bound(state, eventId, binding, audit)
                .uuid("id", UUID.fromString(state.id()))
                .text("group_id", state.groupId())
                .text("submitted_digest", submittedDigest);
        return jdbc.sql(CREATE).paramSource(parameters).update() == 1;
    }

    /** Stores an entry's next version; false where it is not the next one any more. */
    boolean change(GroupState next, UUID eventId, KeyBinding binding, AuditRow audit) {
        return jdbc.sql(CHANGE)
                        .paramSource(bound(next, eventId, binding, audit))
                        .update()
                == 1;
    }

    private static JdbcParameters bound(GroupState state, UUID eventId, KeyBinding binding, AuditRow audit) {
        GroupRef ref = new GroupRef(state.operation(), state.normalizedGroupId());
        RecordKey key = RecordKey.ofGroup(state.tenantId(), state.operation(), state.normalizedGroupId());
        return audit.bind(binding.bind(new JdbcParameters()))
                .text("operation", state.operation())
                .text("group_key", state.normalizedGroupId())
                .text("group_ref", ref.toString())
                .number("version", state.version())
                .flag("deleted", state.deleted())
                .text("name", state.name())
                .text("description", state.description())
                .texts("tags", state.tags())
                .text("category", state.category())
                .text("language", state.language())
                .text("submitter_id", state.submitterId())
                .text("content_digest", state.contentDigest())
                .uuid("event_id", eventId)
                .text("topic", EventType.GROUP_STATE.topic())
                .text("record_key", key.toString())
                .text("event_type", EventType.GROUP_STATE.ceType())
                .text("traceparent", binding.exchange().traceparent())
                .text("data", EventJson.write(state));
    }

    Known known(KeyBinding binding, GroupRef ref) {
        List<KnownGroup> groups = new ArrayList<>();
        List<KeyRecord> records = new ArrayList<>();
        jdbc.sql(KNOWN)
                .paramSource(binding.bind(new JdbcParameters()).text("group_ref", ref.toString()))
                .query(row -> {
                    if (row.getString("payload_digest") != null) {
                        records.add(new KeyRecord(
                                row.getString("payload_digest"),
                                row.getString("resource_ref"),
                                Rows.requiredTime(row, "expires_at")));
                    }
                    if (row.getString("operation") != null) {
                        groups.add(groupOf(row, 0));
                    }
                });
        return new Known(records.isEmpty() ? null : records.get(0), List.copyOf(groups));
    }

    /** False where the key was taken meanwhile, and nothing was written. */
    boolean recordReplay(KnownGroup group, boolean bind, KeyBinding binding, AuditRow audit) {
        return jdbc.sql(RECORD_REPLAY)
                        .paramSource(audit.bind(binding.bind(new JdbcParameters()))
                                .text("group_ref", group.ref().toString())
                                .uuid("id", UUID.fromString(group.state().id()))
                                .flag("bind", bind))
                        .update()
                == 1;
    }

    Optional<KnownGroup> byName(String tenantId, GroupRef ref) {
        return jdbc.sql(BY_NAME)
                .param("tenant_id", tenantId)
                .param("operation", ref.operation())
                .param("group_key", ref.key())
                .query(JdbcGroups::groupOf)
                .optional();
    }

    Optional<KnownGroup> byId(String tenantId, UUID id) {
        return jdbc.sql(BY_ID)
                .param("tenant_id", tenantId)
                .param("id", id)
                .query(JdbcGroups::groupOf)
                .optional();
    }

    private static KnownGroup groupOf(ResultSet row, int number) throws SQLException {
        GroupState state = new GroupState(
                row.getString("tenant_id"),
                row.getString("id"),
                row.getString("operation"),
                row.getString("normalized_group_id"),
                row.getString("group_id"),
                row.getLong("version"),
                row.getBoolean("deleted"),
                row.getString("name"),
                row.getString("description"),
                Rows.texts(row, "tags"),
                row.getString("category"),
                row.getString("language"),
                row.getString("submitter_id"),
                row.getString("content_digest"));
        return new KnownGroup(state, Rows.requiredTime(row, "accepted_at"), Rows.requiredTime(row, "updated_at"));
    }
}
