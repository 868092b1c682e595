-- Tenants, keys, tasks and groups: one row each, by constraint. See docs/architecture.md.

create table ingest.tenant (
  tenant_id text primary key check (tenant_id ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  name text not null,
  environment text not null,
  callback_secret_ciphertext bytea,      -- AES-256-GCM for the purpose callback_secret:<tenant_id>
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table ingest.site (
  tenant_id text not null references ingest.tenant,
  site text not null,
  base_url text not null,
  url_pattern text not null,
  primary key (tenant_id, site)
);

create table ingest.api_key (
  key_id text primary key,
  tenant_id text not null references ingest.tenant,
  client_id text not null,
  version bigint not null check (version > 0),
  deleted boolean not null default false,
  secret_digest text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index api_key_tenant on ingest.api_key (tenant_id);

create table ingest.task (
  tenant_id text not null,
  external_id text not null check (external_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  task_id uuid not null unique,
  version bigint not null check (version > 0),
  status text not null check (status in ('active', 'draft', 'archived')),
  deleted boolean not null check (deleted = (status <> 'active')),
  business_ref_id text,
  group_code text not null,
  title text not null,
  content_html text not null,            -- sanitised
  content_md text,
  cover_url text,
  summary text,
  tags text[] not null,
  category text,
  target_platforms text[] not null,
  callback_url text,
  canonical_url text,
  publish_at timestamptz,
  site text,
  slug text,
  language text,
  translation_key text,
  content_digest text not null,          -- of the newest TaskState
  article_digest text not null,          -- of what a platform shows
  submitted_digest text not null,        -- of the content as it was submitted; see task_content
  html_digest text not null,             -- of content_html
  sanitizer_policy text not null,
  accepted_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, external_id)
);
-- Tasks that name a slug without a site share one nameless site.
create unique index task_slug on ingest.task (tenant_id, coalesce(site, ''), slug) where slug is not null;
create index task_same_content on ingest.task (tenant_id, group_code, html_digest);
create index task_updated on ingest.task (tenant_id, updated_at desc, external_id desc);

-- Every content that was ever accepted for a task, raw: a repeated submission of any of them is a replay.
create table ingest.task_content (
  tenant_id text not null,
  external_id text not null,
  submitted_digest text not null,
  article_digest text not null,
  task_version bigint not null,          -- the first that had it
  media text not null check (media in ('html', 'markdown')),
  raw_content text not null,
  sanitizer_policy text not null,
  accepted_at timestamptz not null,
  primary key (tenant_id, external_id, submitted_digest),
  foreign key (tenant_id, external_id) references ingest.task
);

create table ingest.target (
  tenant_id text not null,
  external_id text not null,
  platform text not null,
  state text not null,
  task_version bigint not null,          -- the one that it should show
  shown_task_version bigint,
  dispatch_version bigint not null default 0,
  account text,
  platform_post_id text,
  platform_url text,
  observed_at timestamptz,
  error_code text,
  error_detail text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, external_id, platform),
  foreign key (tenant_id, external_id) references ingest.task
);

create table ingest.group_entry (
  tenant_id text not null,
  operation text not null,
  normalized_group_id text not null,
  id uuid not null unique,
  version bigint not null check (version > 0),
  deleted boolean not null default false,
  group_id text not null,                -- as it was first written
  name text,
  description text,
  tags text[] not null,
  category text,
  language text,
  submitter_id text,
  content_digest text not null,          -- of the newest GroupState
  submitted_digest text not null,
  accepted_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, operation, normalized_group_id)
);

-- What an Idempotency-Key stands for; the key itself is kept as a digest and its first characters.
create table ingest.idempotency_record (
  tenant_id text not null,
  client_id text not null,
  route text not null,
  key_digest text not null,
  key_prefix text not null,
  payload_digest text not null,
  state text not null check (state in ('completed')),
  resource_kind text not null check (resource_kind in ('task', 'group')),
  resource_ref text not null,            -- external_id, or operation/normalized_group_id
  resource_id uuid not null,
  outcome text not null,
  status_code int not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, client_id, key_digest, route)
);
create index idempotency_record_expiry on ingest.idempotency_record (expires_at);

create table ingest.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  tenant_id text,                        -- null where the caller is unknown
  client_id text,
  key_id text,
  request_id text not null,
  route text not null,
  outcome text not null check (outcome in
    ('created', 'replay', 'updated', 'conflict', 'refused', 'withdrawn', 'failed')),
  status_code int not null,
  error_code text,
  external_id text,
  group_ref text,                        -- operation/normalized_group_id
  resource_version bigint,
  idempotency_key_prefix text,
  payload_digest text,
  detail text                            -- JSON: added platforms, differing fields, pointers; never a value
);
create index audit_task on ingest.audit (tenant_id, external_id, id) where external_id is not null;
create index audit_group on ingest.audit (tenant_id, group_ref, id) where group_ref is not null;

create table ingest.outbox_event (
  seq bigint generated always as identity primary key,
  event_id uuid not null unique,
  xid xid8 not null default pg_current_xact_id(),
  topic text not null,
  record_key text not null,
  event_type text not null,
  source text not null,
  subject text not null,
  aggregate_version bigint not null check (aggregate_version > 0),
  occurred_at timestamptz not null,
  traceparent text,
  data text not null
);
create index outbox_event_xid on ingest.outbox_event (xid);
create index outbox_event_key on ingest.outbox_event (record_key, aggregate_version);
grant select on ingest.outbox_event to postonce_relay;
create publication postonce_ingest_outbox for table ingest.outbox_event
  with (publish = 'insert', publish_via_partition_root = true);
