-- Who took a task back, and why; what a tenant chose where there is a choice.

alter table ingest.task
  add column withdrawn_at timestamptz,
  add column withdrawn_by text,          -- the client
  add column withdrawn_reason text,
  add column withdrawn_public text check (withdrawn_public in ('keep', 'gone')),
  add constraint task_withdrawal_complete
    check ((withdrawn_at is null) = (withdrawn_public is null) and (withdrawn_at is null or status <> 'active'));

create table ingest.tenant_policy (
  tenant_id text primary key references ingest.tenant,
  duplicate_policy text not null default 'accept' check (duplicate_policy in ('accept', 'refuse')),
  content_policy text not null default 'replay' check (content_policy in ('replay', 'refuse')),
  check_levels text not null default '{}',  -- JSON: a finding's code to error, warning or off
  updated_at timestamptz not null default now()
);
