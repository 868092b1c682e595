-- Keys that people manage, their rates and their use; and what became of audit rows that somebody had to look at.

alter table ingest.tenant
  add column rate_per_second int check (rate_per_second > 0);   -- of each of its keys that has none of its own

alter table ingest.api_key
  add column rate_per_second int check (rate_per_second > 0),   -- requests; null: the tenant's, else the default
  add column last_used_at timestamptz;                          -- written rarely, see docs/names.md

-- What people ask the audit for: what went wrong, and what operators did (which concerns no task and no group).
-- Accepted submissions are in no entry of it, so it costs them nothing.
create index audit_noted on ingest.audit (tenant_id, id)
  where outcome in ('conflict', 'refused', 'failed') or (external_id is null and group_ref is null);

-- Somebody looked at an audit row and says what came of it. The row itself never changes.
create table if not exists ingest.audit_follow_up (
  audit_id bigint primary key references ingest.audit,
  tenant_id text not null,
  note text not null,
  at timestamptz not null,
  client_id text not null,
  key_id text not null
);
create index if not exists audit_follow_up_tenant on ingest.audit_follow_up (tenant_id, audit_id);
